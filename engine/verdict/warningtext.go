package verdict

// Text says what the warning means and what accepting it costs, in a sentence
// or two that hold for every seed; a Check's own Text has the seed's values. It
// is empty for a name that is no warning.
func (w Warning) Text() string {
	switch w {
	case FellBack:
		return "The server's clock showed as_of twice, so an hour earlier was looked up. The stream replays that hour."
	case ClockStepped:
		return "Commit times run backwards near as_of: somebody set the server's clock back. L is the last commit before they do, and the stream replays what follows."
	case NoZone:
		return "The server tells only today's offset from UTC (before SQL Server 2022), so an hour earlier was looked up. The stream replays that hour; --time-zone makes it exact."
	case CaptureBehind:
		return "No commit after as_of is captured yet. L is safe, but the same as_of maps to a later commit tomorrow, so a rerun by time may find another L."
	case CaptureStopped:
		return "The newest captured commit is long ago: the capture job seems to stand still. L is safe; the stream gets no changes until it runs again."
	case LSNNoCommit:
		return "No commit has the LSN that as_of is: a typing error looks like this. The stream goes on right after it all the same; one that is too late loses commits."
	case RowsDiffer:
		return "The copy's rows and the server's estimate for the table are more than a tenth and 10,000 rows apart. A part of a copy, or files that are there twice, look like this; so does a table that grew since."
	case AfterCopyAllowed:
		return "as_of is later than the earliest data of the copy, and --allow-as-of-after-copy says so. Right only for a copy refreshed in place, where as_of is the start of its last refresh; otherwise commits are lost."
	case RetentionTight:
		return "Casting may take more than half of the time for which L stays readable. If cleanup passes L first, the seed is refused before its commit and the work is lost."
	case StreamStopped:
		return "The target holds rows already. The stream that writes it must be stopped until the seed is committed: one that commits meanwhile may pass L."
	case Reseed:
		return "The seed becomes the newest snapshot of the table, the one that everything downstream rebuilds from. The old stream must not run again, and the new one needs a new checkpoint and a new app id."
	case SameContent:
		return "The copy of a reseed holds, byte for byte, what the target was seeded from, though its files lie elsewhere or are newer. An old copy that was copied or restored looks like this, and it lacks what the stream lost; so does a new copy of a table in which nothing has changed since."
	case FlaggedKept:
		return "Rows that another tool flagged as deleted are kept (--keep-deleted). They come alive in the target, and no change will ever delete them."
	case UniformStale:
		return "The target is read as Iceberg or Hudi too. Their metadata does not have the seed until Spark brings it up to date."
	case FactsTxnExpires:
		return "The facts table forgets after a while who wrote a row. One that is offered again after that is written twice."
	case TrustsAnyServer:
		return "The server's certificate was not checked (--encrypt trust). Whoever answers at that address is believed, and got the password."
	case CutOffText:
		return "Many values of a column end at exactly the same length: the copying tool may have cut them off. They stay so in the target until their rows change."
	case DuplicateKeys:
		return "Keys of the copy stand in more than one row (--check keys), or may under the collation of their columns. The source's unique index allows each once: all rows are written, and what is rebuilt from the seed keeps one of each, perhaps the older."
	case DigitsDoubtful:
		return "Whole numbers stand in a column of floating-point numbers of the copy and are so large that the type skips some: the copying tool may have changed their last digits, and keys that were apart may be one. Have the copy made again with whole numbers, or check them against the source."
	case KeyChanged:
		return "Values of a key column are rounded or cut, as the answer to --cast says. Keys that are apart in the source may become one, and a changed key joins with no row of the stream."
	case EncodingDoubtful:
		return "Text is decoded from the encoding that --encoding names, and every value that is more than ASCII is UTF-8 text as it stands: it was written as UTF-8, most likely, and would come out as other letters."
	case ValuesUnseen:
		return "Text or bytes of the copy are taken over as they are, and only a sample of them was looked at. What is longer than declared, or not UTF-8, would be written so. --check all looks at every value first."
	}
	return ""
}
