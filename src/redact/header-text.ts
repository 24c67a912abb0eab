import { textOfBytes } from './bytes.ts'
import { redacted, type Censor } from './censor.ts'
import { credentialHeaders } from './headers.ts'

/** The censor of members that can contain header fields as text. Values without credential headers stay unchanged. */
export const headerTextCensor: Censor = {
  remove: false,
  constant: false,
  isOfTexts: true,
  replace(value) {
    if (typeof value === 'string') return withoutCredentials(value)
    const text = textOfBytes(value)
    return text === undefined || withoutCredentials(text) === text ? value : redacted
  },
}

/**
 * Returns the text of header fields with the values of credential headers redacted. In lines of the form `Name: value`, the value is
 * replaced. If the text has a credential header in another form, such as JSON, the whole text is replaced. Other text stays unchanged.
 */
export function withoutCredentials(text: string): string {
  if (!anyName.test(text)) return text
  const lines = text.replace(field, `$1${redacted}`)
  return otherField.test(lines) ? redacted : lines
}

const names = [...credentialHeaders].join('|')
const anyName = new RegExp(names, 'i')

/**
 * A field at the start of a line, with the lines that continue its value (RFC 9112 section 5.2). Each alternative begins with a different
 * character, so the time is linear.
 */
const field = new RegExp(
  `(?<=^|[\\r\\n])([ \\t]*(?:${names})[ \\t]*:[ \\t]*)(?:[^\\r\\n]|\\r(?!\\n)|\\r?\\n[ \\t])*`,
  'gi',
)

/** The name of a credential header and the start of its value, in any other form. */
const otherField = new RegExp(`(?<![0-9a-z_-])(?:${names})(?:["'\`]\\s*[:=,]|\\s*[:=](?! ?\\[REDACTED\\]))`, 'i')
