// Package tui is the wizard: eight screens over the engine, from a connection to
// a seeded table. It asks, shows and confirms; what is true is decided by the
// engine alone.
//
// The wizard is a frame around one step at a time. Steps share the desk: the
// answers given so far, which outlive every screen, and what the engine found
// out about them. No step knows another. Everything that takes time is a job
// that ends when its step is left, so that no key ever waits.
package tui
