// Microsoft's JDBC driver. Usage: java -cp mssql-jdbc.jar JdbcClient.java HOST PORT SECURE_PORT CERTIFICATE CASES
import com.microsoft.sqlserver.jdbc.SQLServerException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;

public class JdbcClient {
  static String host, port, secure, certificate;
  static Path folder;
  static int held, failed;

  public static void main(String[] args) throws Exception {
    Logger.getLogger("com.microsoft.sqlserver").setLevel(Level.OFF);
    host = args[0];
    port = args[1];
    secure = args[2];
    certificate = args[3];
    folder = Path.of(args[4]);
    connections();
    try (Connection db = connect("encrypt", "false")) {
      values(db);
      changes(db);
      errors(db);
      parameters(db);
      statements(db);
      transactions(db);
      metadata(db);
    }
    System.out.printf("mssql-jdbc: %d held, %d failed%n", held, failed);
    System.exit(failed > 0 ? 1 : 0);
  }

  static Connection connect(String... more) throws SQLException {
    Properties p = new Properties();
    p.put("user", "judge");
    p.put("password", "p@ss;1 é}");
    p.put("databaseName", "Shop");
    p.put("sendTimeAsDatetime", "false");
    String at = port;
    for (int i = 0; i < more.length; i += 2) {
      p.put(more[i], more[i + 1]);
    }
    if (!p.get("encrypt").equals("false")) {
      at = secure;
    }
    return DriverManager.getConnection("jdbc:sqlserver://" + host + ":" + at, p);
  }

  static void connections() throws Exception {
    for (String[] more : new String[][] {
        {"encrypt", "true", "trustServerCertificate", "true"},
        {"encrypt", "true", "trustStore", store(), "trustStoreType", "PKCS12", "trustStorePassword", "unused", "hostNameInCertificate", "localhost"},
        {"encrypt", "strict", "serverCertificate", certificate},
    }) {
      try (Connection db = connect(more)) {
        equal("encryption " + more[1] + ", " + more[2], rows(db, "SELECT SUSER_SNAME()"), "judge");
      }
    }
    fails("encryption true, certificate not known", () -> connect("encrypt", "true"), "PKIX");
    fails("login failure", () -> connect("encrypt", "false", "password", "wrong"), "18456");
    fails("wrong database", () -> connect("encrypt", "false", "databaseName", "Nope"), "4060");
  }

  // store is a file that holds the certificate as an authority, as Java's TLS takes it.
  static String store() throws Exception {
    KeyStore k = KeyStore.getInstance("PKCS12");
    k.load(null, null);
    try (var in = Files.newInputStream(Path.of(certificate))) {
      k.setCertificateEntry("fake", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    Path file = Files.createTempFile("store", ".p12");
    file.toFile().deleteOnExit();
    try (var out = Files.newOutputStream(file)) {
      k.store(out, "unused".toCharArray());
    }
    return file.toString();
  }

  static void values(Connection db) throws Exception {
    List<String[]> cases = cases("values.tsv");
    String columns = String.join(", ", cases.stream().map(c -> c[0]).toList());
    List<List<String>> got = new ArrayList<>();
    try (Statement s = db.createStatement(); ResultSet r = s.executeQuery("SELECT " + columns + " FROM dbo.Types ORDER BY n")) {
      while (r.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= cases.size(); i++) {
          row.add(text(cases.get(i - 1)[1], r, i));
        }
        got.add(row);
      }
    }
    for (int i = 0; i < cases.size(); i++) {
      String[] c = cases.get(i);
      String[] want = {c[2], c[3], "NULL"};
      boolean holds = got.size() == 3;
      for (int n = 0; n < got.size() && n < 3; n++) {
        holds &= same(c[1], got.get(n).get(i), want[n]);
      }
      int at = i;
      check("values " + c[0], holds, got.stream().map(row -> row.get(at)).toList() + ", and not " + Arrays.toString(want));
    }
  }

  static void changes(Connection db) throws Exception {
    for (String[] c : cases("cdc.tsv")) {
      equal("cdc " + c[0], rows(db, c[1]), c[2]);
    }
  }

  static void errors(Connection db) throws Exception {
    for (String[] c : cases("errors.tsv")) {
      String want = String.join(" ", Arrays.copyOf(c, 4));
      String got = "no error";
      try {
        rows(db, c[4]);
      } catch (SQLServerException e) {
        var m = e.getSQLServerError();
        got = m.getErrorNumber() + " " + m.getErrorSeverity() + " " + m.getErrorState() + " " + m.getLineNumber();
      }
      equal("error " + c[0], got, want);
    }
  }

  static void parameters(Connection db) throws Exception {
    for (String[] c : cases("parameters.tsv")) {
      for (String want : new String[] {c[1], "NULL"}) {
        try (PreparedStatement s = db.prepareStatement("SELECT " + c[2].replace("{p}", "?") + ", ?")) {
          for (int i = 1; i <= c[2].split("\\{p}", -1).length; i++) {
            bind(s, i, c[0], want);
          }
          try (ResultSet r = s.executeQuery()) {
            r.next();
            String got = r.getString(1) == null ? "NULL" : r.getString(1);
            String back = text(c[0], r, 2);
            check("parameter " + c[0], same(c[0], got, want) && same(c[0], back, want), got + ", " + back + ", and not " + want);
          }
        } catch (SQLException e) {
          check("parameter " + c[0], false, e.toString());
        }
      }
    }
    for (int size : new int[] {4000, 4001, 100_000}) {
      String sent = "éàü".repeat(size).substring(0, size);
      try (PreparedStatement s = db.prepareStatement("SELECT DATALENGTH(?), ?")) {
        s.setString(1, sent);
        s.setString(2, sent);
        try (ResultSet r = s.executeQuery()) {
          r.next();
          check("parameter text of " + size, r.getInt(1) == 2 * size && sent.equals(r.getString(2)), r.getInt(1) + " bytes");
        }
      }
    }
  }

  static void bind(PreparedStatement s, int i, String kind, String value) throws SQLException {
    boolean none = value.equals("NULL");
    switch (kind) {
      case "tinyint", "smallint" -> s.setObject(i, none ? null : Short.valueOf(value), kind.equals("tinyint") ? Types.TINYINT : Types.SMALLINT);
      case "int" -> s.setObject(i, none ? null : Integer.valueOf(value), Types.INTEGER);
      case "bigint" -> s.setObject(i, none ? null : Long.valueOf(value), Types.BIGINT);
      case "bit" -> s.setObject(i, none ? null : value.equals("1"), Types.BIT);
      case "decimal" -> s.setObject(i, none ? null : new BigDecimal(value), Types.DECIMAL, 4);
      case "float" -> s.setObject(i, none ? null : Double.valueOf(value), Types.DOUBLE);
      case "date" -> s.setObject(i, none ? null : java.time.LocalDate.parse(value), Types.DATE);
      case "time" -> s.setObject(i, none ? null : java.time.LocalTime.parse(value), Types.TIME);
      case "datetime" -> s.setObject(i, none ? null : java.time.LocalDateTime.parse(value.replace(' ', 'T')), Types.TIMESTAMP);
      case "datetimeoffset" -> s.setObject(i, none ? null : java.time.OffsetDateTime.parse(value.replaceFirst(" ", "T").replace(" ", "")), Types.TIMESTAMP_WITH_TIMEZONE);
      case "binary" -> s.setBytes(i, none ? null : HexFormat.of().parseHex(value.substring(2)));
      case "guid" -> s.setObject(i, none ? null : value, microsoft.sql.Types.GUID);
      default -> s.setNString(i, none ? null : value);
    }
  }

  static void statements(Connection db) throws Exception {
    try (PreparedStatement s = db.prepareStatement("SELECT Name FROM dbo.Orders WHERE Id = ?")) {
      List<String> names = new ArrayList<>();
      for (int id : new int[] {1, 3, 1, 3}) { // the second time prepares, the third uses the handle
        s.setInt(1, id);
        try (ResultSet r = s.executeQuery()) {
          r.next();
          names.add(r.getString(1));
        }
      }
      equal("prepare, execute, unprepare", names.toString(), "[ONE, three, ONE, three]");
    }
    try (CallableStatement s = db.prepareCall("{call sys.sp_cdc_help_change_data_capture(?, ?)}")) {
      s.setString(1, "dbo");
      s.setString(2, "Orders");
      try (ResultSet r = s.executeQuery()) {
        r.next();
        equal("call sp_cdc_help_change_data_capture", r.getString("source_schema") + " " + r.getString(3), "dbo dbo_Orders");
      }
    }
    try (Statement s = db.createStatement()) {
      new Thread(() -> {
        try {
          Thread.sleep(200);
          s.cancel();
        } catch (Exception e) {
          check("cancel", false, e.toString());
        }
      }).start();
      fails("cancel", () -> s.execute("WAITFOR DELAY '00:05:00'"), "canceled");
    }
    try (Statement s = db.createStatement()) {
      s.setQueryTimeout(1);
      fails("timeout", () -> s.execute("WAITFOR DELAY '00:05:00'"), "timed out");
    }
    equal("usable after them", rows(db, "SELECT 7"), "7");
  }

  static void transactions(Connection db) throws Exception {
    db.setAutoCommit(false);
    rows(db, "SELECT 1 FROM dbo.Orders");
    String open = rows(db, "SELECT @@TRANCOUNT");
    var point = db.setSavepoint("Łódź");
    db.rollback(point);
    open += rows(db, "SELECT @@TRANCOUNT");
    db.commit();
    rows(db, "SELECT 1 FROM dbo.Orders");
    db.rollback();
    db.setAutoCommit(true);
    equal("begin, save, roll back, commit", open + rows(db, "SELECT @@TRANCOUNT"), "110");
  }

  static void metadata(Connection db) throws Exception {
    try (Statement s = db.createStatement(); ResultSet r = s.executeQuery("SELECT Id, Name FROM dbo.Orders")) {
      var m = r.getMetaData();
      List<String> got = new ArrayList<>();
      for (int i = 1; i <= m.getColumnCount(); i++) {
        got.add(m.getColumnTypeName(i) + " " + m.getPrecision(i) + " " + m.getScale(i) + " " + m.isNullable(i));
      }
      equal("what a result says of its columns", got.toString(), "[int 10 0 0, nvarchar 50 0 1]");
    }
    equal("version", db.getMetaData().getDatabaseProductVersion(), "16.00.4125");
    equal("valid", String.valueOf(db.isValid(5)), "true");
  }

  static String rows(Connection db, String sql) throws SQLException {
    List<String> out = new ArrayList<>();
    try (Statement s = db.createStatement()) {
      if (!s.execute(sql)) {
        return "";
      }
      try (ResultSet r = s.getResultSet()) {
        while (r.next()) {
          List<String> row = new ArrayList<>();
          for (int i = 1; i <= r.getMetaData().getColumnCount(); i++) {
            row.add(text("", r, i));
          }
          out.add(String.join("|", row));
        }
      }
    }
    return String.join(";", out);
  }

  // text is a value as the kept cases write it.
  static String text(String kind, ResultSet r, int i) throws SQLException {
    Object v = r.getObject(i);
    if (v == null) {
      return "NULL";
    }
    if (v instanceof Boolean b) {
      return b ? "1" : "0";
    }
    if (v instanceof byte[] b) {
      return "0x" + HexFormat.of().withUpperCase().formatHex(b);
    }
    if (v instanceof BigDecimal d) {
      return d.toPlainString();
    }
    if (kind.equals("time")) {
      return r.getObject(i, java.time.LocalTime.class).toString();
    }
    if (kind.equals("datetime")) {
      return r.getObject(i, java.time.LocalDateTime.class).format(java.time.format.DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.nnnnnnnnn"));
    }
    if (kind.equals("datetimeoffset")) {
      return v.toString();
    }
    return kind.equals("date") ? r.getObject(i, java.time.LocalDate.class).toString() : v.toString();
  }

  static boolean same(String kind, String got, String want) {
    if (kind.equals("float") && !want.equals("NULL") && !got.equals("NULL")) {
      return Double.parseDouble(got) == Double.parseDouble(want);
    }
    if (kind.equals("time") || kind.startsWith("datetime")) {
      return trimmed(got).equals(trimmed(want));
    }
    return got.equals(want);
  }

  // trimmed is a time without the last zeros of its fraction.
  static String trimmed(String t) {
    String zone = t.contains(" +") || t.matches(".* -\\d\\d:\\d\\d") ? t.substring(t.length() - 7) : "";
    String clock = t.substring(0, t.length() - zone.length());
    return (clock.contains(".") ? clock.replaceAll("\\.?0+$", "") : clock.matches("\\d\\d:\\d\\d") ? clock + ":00" : clock) + zone;
  }

  static List<String[]> cases(String name) throws Exception {
    return Files.readAllLines(folder.resolve(name), StandardCharsets.UTF_8).stream()
        .filter(l -> !l.startsWith("#"))
        .map(l -> Arrays.stream(l.split("\t")).map(f -> f.replace("\\e", "").replace("\\n", "\n")).toArray(String[]::new))
        .toList();
  }

  interface Step {
    Object run() throws Exception;
  }

  static void fails(String what, Step run, String said) {
    try {
      check(what, false, "no error but " + run.run());
    } catch (Exception e) {
      String told = (e instanceof SQLException s ? chain(s) : "") + e;
      check(what, told.contains(said), told);
    }
  }

  // chain has the numbers of an error and of those behind it.
  static String chain(SQLException e) {
    StringBuilder b = new StringBuilder();
    for (SQLException x = e; x != null; x = x.getNextException()) {
      b.append(x.getErrorCode()).append(' ');
    }
    return b.toString();
  }

  static void equal(String what, String got, String want) {
    check(what, got.equals(want), got + ", and not " + want);
  }

  static synchronized void check(String what, boolean holds, String told) {
    if (holds) {
      held++;
    } else {
      failed++;
    }
    System.out.println((holds ? "ok" : "not ok") + " mssql-jdbc: " + what + (holds ? "" : ": " + told));
  }
}
