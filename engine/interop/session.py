"""A local Spark with Delta, from the jars that setup.sh put beside this Python environment."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import SparkSession


def jars() -> list[str]:
    """The Delta jars of the environment that runs this; an error where setup.sh has not run."""
    folder = Path(sys.prefix).parent / "jars"
    found = sorted(str(p) for p in folder.glob("*.jar"))
    if not any("delta-spark_" in p for p in found):
        raise SystemExit(f"no Delta jars in {folder}: run setup.sh and use the python that it prints")
    return found


def start(work: Path, for_times: bool = False) -> SparkSession:
    """A Spark session that keeps everything it writes by itself below work; one whose times count is set up as Spark comes."""
    # Spark starts workers of its own for the package's source: they need this environment too.
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    built = (
        SparkSession.builder.master("local[*]" if for_times else "local[2]")
        .appName("cdcseed-interop")
        .config("spark.jars", ",".join(jars()))
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.databricks.delta.snapshotPartitions", "1")
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        .config("spark.sql.warehouse.dir", str(work / "warehouse"))
        .config("spark.local.dir", str(work / "spark"))
        .config("spark.driver.memory", "4g" if for_times else "2g")
    )
    if not for_times:
        # Many small jobs: what is compiled for speed is not worth its compiling.
        built = built.config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC").config("spark.sql.codegen.wholeStage", "false")
    spark = built.getOrCreate()
    # What fails reaches the caller as an exception.
    spark.sparkContext.setLogLevel("OFF")
    return spark


@contextmanager
def below(name: str) -> Iterator[tuple[SparkSession, Path]]:
    """A session, and a folder for whatever is made with it; both are gone when the block ends."""
    work = Path(tempfile.mkdtemp(prefix=f"cdcseed-{name}-"))
    try:
        spark = start(work)
        yield spark, work
        spark.stop()
    finally:
        shutil.rmtree(work, ignore_errors=True)
