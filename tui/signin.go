package tui

import "cdcseed/engine"

// signInWords are a way to sign in for people: what it is, beside the flag's
// word, and what it takes as User and as Password.
type signInWords struct{ text, user, password string }

// noneTaken is the hint of a field that a way to sign in has no use for.
const noneTaken = "none is taken: leave it empty"

// wordsFor are those of a value of the flag. One that has no words of its own
// stands for itself.
func wordsFor(how string) signInWords {
	const elsewhere = "or --password-file, or CDCSEED_PASSWORD"
	switch how {
	case "":
		return signInWords{"SQL login, or the system's sign-on", "empty for the operating system's sign-on", elsewhere}
	case "entra:default":
		return signInWords{how + ", as the environment says", noneTaken, noneTaken}
	case "entra:interactive":
		return signInWords{how + ", a browser here", "NAME@DOMAIN, or empty to choose in the browser", noneTaken}
	case "entra:device-code":
		return signInWords{how + ", a browser anywhere", noneTaken, noneTaken}
	case "entra:managed-identity":
		return signInWords{how + ", the Azure host's own", "the identity's client id, or empty for the host's", noneTaken}
	case "entra:service-principal":
		return signInWords{how + ", an application", "CLIENT_ID@TENANT_ID", "the application's client secret"}
	case "entra:az-cli":
		return signInWords{how + ", who is signed in to az", noneTaken, noneTaken}
	case "entra:password":
		return signInWords{how + ", account and password", "NAME@DOMAIN", "the account's"}
	case "kerberos":
		return signInWords{how + ", ticket, keytab or password", "NAME@REALM, or empty for who has the ticket", "the principal's; empty with a ticket or keytab"}
	}
	return signInWords{how, "as this way to sign in takes it", elsewhere}
}

// signIns are the ways to sign in.
func signIns() []option {
	out := []option{{"", wordsFor("").text}}
	for _, how := range engine.SignIns() {
		out = append(out, option{how, wordsFor(how).text})
	}
	return out
}
