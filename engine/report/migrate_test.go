package report_test

import (
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/report"
)

// An older target takes two commits, and the plan counts both.
func TestPlanOfAnOlderTarget(t *testing.T) {
	p := plan(t, "append")
	p.Target.Migrate = &engine.MigratePlan{From: 1, To: 2}
	var b strings.Builder
	report.PlanNotRun(&b, p)
	if text := strings.Join(strings.Fields(b.String()), " "); !strings.Contains(text, "migrated first (version 2), then one commit: -> 3") {
		t.Error(b.String())
	}
}
