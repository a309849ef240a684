package engine

import (
	"context"
	"fmt"
	"strings"

	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// follow is what to do next.
func (x *execution) follow() []string {
	l := x.plan.AsOf.L
	out := x.name()
	reseeded := x.result.Follows != nil && (x.newest == nil || x.newest.LSN.Compare(l) <= 0)
	if reseeded {
		out = append(out, x.before())
	}
	out = append(out, x.stream()...)
	if reseeded {
		out = append(out, fmt.Sprintf("Silver rebuilds from the snapshot at %s when it is applied next: keys that the copy lacks and no later change brings go away there.", l))
	}
	if x.result.FactsRow == "of another" {
		out = append(out, fmt.Sprintf("Give the stream another app id: %q has its one row in the facts table, and it is not this seed's.", x.plan.Facts.AppID))
	}
	if x.left > 0 {
		out = append(out, x.leftovers())
	}
	if x.plan.AsOf.Record != nil {
		out = append(out, fmt.Sprintf("Where the job passes as_of, pass the LSN %s: by time the package would look for a seed elsewhere.", l))
	}
	if formats := x.plan.Target.Uniform; formats != "" && x.result.State == Ready {
		out = append(out, fmt.Sprintf("Readers of the table as %s do not see the seed until Spark has brought their metadata up to date.", formats))
	}
	return append(out, `Keep the rows with operation 0, leave the stream's on_data_loss at "fail", and never set it to "resnapshot" for a table that is too big for a snapshot.`)
}

// leftovers is how the files of earlier tries go. Young ones stay without --all:
// a try that was just broken off looks like one that goes on.
func (x *execution) leftovers() string {
	out := fmt.Sprintf("%s of earlier tries, seen by no reader, can go: %s", verdict.Plural(x.left, "file", "files"),
		Command("staged", []string{"--target", x.plan.Target.URL, "--remove"}))
	if x.young {
		out += ". That leaves what is younger than an hour, as another seed of this target may go on and count on it. Where none does, add --all."
	}
	return out
}

// name is how the stream gets to know the target. One that was there before has
// its name, as a rule.
func (x *execution) name() []string {
	to := x.plan.Target
	if isPath(to.Name) && to.Name == to.URL {
		return []string{fmt.Sprintf("Pass the Python job the target %q, exactly so.", to.Name)}
	}
	register := fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s USING DELTA LOCATION '%s'", to.Name, strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(to.URL))
	if x.result.State == AlreadySeeded || x.result.Follows != nil {
		return []string{"If the name is not registered yet, do it before the stream starts: " + register}
	}
	return []string{"Register the name before the stream starts: " + register}
}

// before is what becomes of the stream before a reseed. Whoever asks for a seed
// that is there may have the new one running already, and must not stop that.
func (x *execution) before() string {
	const never = "neither its checkpoint nor its app id may be used again."
	if x.result.State == AlreadySeeded {
		return "The stream that wrote the target before the reseed stays stopped: " + never
	}
	return "Leave the stream that wrote the target before stopped, for good: " + never
}

// stream is how the stream goes on from the seed, where it still can.
func (x *execution) stream() []string {
	l := x.plan.AsOf.L
	const running = "If the stream runs from this seed already, leave it and its checkpoint alone."
	if n := x.newest; n != nil && n.LSN.Compare(l) > 0 {
		return []string{
			fmt.Sprintf("%s One that is started anew with to_delta(bootstrap=True) begins at the newer snapshot, %s, not here.", running, n.LSN),
		}
	}
	if x.gone {
		return []string{
			fmt.Sprintf("A stream that runs from this seed already needs nothing, and keeps its checkpoint. One that has not started from it cannot any more: the changes right after %s are not kept. Take a newer copy for it, and seed that with --reseed and a new app id.", l),
		}
	}
	app := ""
	if x.result.Follows != nil {
		app = ", an app id that no stream has had"
	}
	if x.plan.Facts != nil && x.result.FactsRow != "of another" {
		app = fmt.Sprintf(", app_id %q", x.plan.Facts.AppID)
	}
	start := fmt.Sprintf("Start the stream with to_delta(bootstrap=True)%s and a new checkpoint: it goes on right after %s and does not read the table.", app, l)
	if x.result.State == AlreadySeeded {
		start = running + " If it never started: " + strings.ToLower(start[:1]) + start[1:]
	}
	out := []string{start}
	if until := x.plan.AsOf.KeptUntil; until != nil && x.result.State == Ready {
		out = append(out, x.hurry(*until))
	}
	return out
}

// hurry says by when the stream has to have started. L was kept when the server
// was asked last, whatever the moment at which cleanup was to pass it.
func (x *execution) hurry(until clock.Instant) string {
	if x.keptAt != nil && until <= *x.keptAt {
		return fmt.Sprintf("Start it at once: cleanup was to pass L at about %s, and may at any moment.", until)
	}
	return fmt.Sprintf("Cleanup passes L at about %s: start it before that.", until)
}

// lookBack asks of a seed that was found whether a stream can still start from
// it. It is only told, so a server that does not answer any more stops nothing.
func (x *execution) lookBack(ctx context.Context) {
	if x.result.State != AlreadySeeded {
		return
	}
	t, _, err := x.session.source.Table(ctx, x.plan.Table.Instance)
	if err != nil {
		return
	}
	k, err := x.session.kept(ctx, t, x.plan.AsOf.L)
	if err == nil {
		x.gone, x.keptAt = !k.Holds, &k.Asked
	}
}
