/** How much of a server's words is told, in characters. */
const mostTold = 300
/** What is shorter than this would cover half of every sentence. */
const shortestSecret = 4

/** A text in which a server may have repeated what it was sent: without the secrets, their words, and not too long. */
export function masked(text: string, secrets: readonly string[]): string {
  const words = secrets.flatMap((secret) => [secret, ...secret.split(/\s+/)])
  const longestFirst = words.filter((word) => word.length >= shortestSecret).toSorted((a, b) => b.length - a.length)
  const safe = longestFirst.reduce((rest, word) => rest.replaceAll(word, '[REDACTED]'), text)
  return safe.length > mostTold ? `${safe.slice(0, mostTold)}…` : safe
}

/** What of a URL is nobody's business. */
export function urlSecrets({ username, password }: URL): string[] {
  if (username === '') return []
  const [user, secret] = [decoded(username), decoded(password)]
  return [secret, password, Buffer.from(`${user}:${secret}`).toString('base64')]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
