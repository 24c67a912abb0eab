import { secretReplacement, secretValuesOf, type SecretNameTest } from './target.ts'

/**
 * Returns the message that a function of the user returned for a request, with the secrets of the URL redacted, also if they were decoded
 * or encoded again, and without placeholders that the client sent.
 */
export function safeMessage(text: string, url: string, isSecret: SecretNameTest): string {
  return withoutPlaceholders(withoutSecrets(text, secretValuesOf(url, isSecret)), url)
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  // The longest first, because a form can begin with another one.
  const forms = [...new Set(secrets.flatMap(formsOf))].filter((form) => form !== '').toSorted(byLength)
  if (forms.length === 0) return text
  // One expression, so that no secret is replaced in the text that replaces another one.
  return text.replaceAll(new RegExp(forms.map(escapeExpression).join('|'), 'gi'), () => secretReplacement)
}

/** Returns the forms of a secret: as it was sent, as the URL parser writes it, decoded, and encoded again. */
function formsOf(raw: string): string[] {
  const parsed = new URL('http://host')
  parsed.search = raw
  // In a path or a fragment, a plus sign is not a space.
  const decoded = [raw, raw.replaceAll('+', '%2B')].map(decodedForm)
  return [raw, parsed.search.slice(1), ...decoded, ...decoded.flatMap(encodedForms)]
}

/** Decodes a text as the value of a form. An ampersand in it, as in a password, does not end the value. */
function decodedForm(text: string): string {
  return new URLSearchParams(`a=${text.replaceAll('&', '%26')}`).get('a')!
}

function encodedForms(value: string): string[] {
  const formEncoded = new URLSearchParams({ a: value }).toString().slice('a='.length)
  return [formEncoded, encodeURIComponent(value), encodeURI(value), JSON.stringify(value).slice(1, -1)]
}

/** Encodes the braces of the placeholders that are in the URL, which otherwise would insert attributes. */
function withoutPlaceholders(text: string, url: string): string {
  if (!text.includes('{')) return text
  const sources = [url, decodedForm(url)]
  return text.replaceAll(/\{([^{}]*)\}/g, (placeholder, name: string) =>
    sources.some((source) => source.includes(placeholder)) ? `%7B${name}%7D` : placeholder,
  )
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}

const byLength = (a: string, b: string): number => b.length - a.length
