package fakeserver

// Work is how often functions of the catalogue have been asked, and how often
// one has listed all objects of a database.
func (s *Server) Work() (calls, lists int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.work.calls, s.work.lists
}
