package main

// restrictInheritance has nothing to do: the folder of the homes is the user's,
// and a child gets only the handles that are named.
func restrictInheritance() {}
