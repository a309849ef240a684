package sqlserver

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// OpenThrough is Open where a person's sign-in goes through t, not to Entra ID.
func OpenThrough(ctx context.Context, o Options, t policy.Transporter) (*Source, error) {
	to, err := o.withDefaults().connector(t)
	if err != nil {
		return nil, err
	}
	return open(ctx, o.withDefaults(), to)
}
