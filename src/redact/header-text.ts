import { textOfBytes } from './bytes.ts'
import { defaultReplacement, type Censor } from './censor.ts'
import { credentialHeaders } from './headers.ts'

/** The censor of members that can contain header fields as text. Values without credential headers stay unchanged. */
export const headerTextCensor: Censor = {
  removesMember: false,
  isConstant: false,
  keepsValuesWithoutSecret: true,
  replace(value) {
    if (typeof value === 'string') return redactHeaderText(value)
    const text = textOfBytes(value)
    return text === undefined || redactHeaderText(text) === text ? value : defaultReplacement
  },
}

/**
 * Returns the text of header fields with the values of credential headers redacted. In lines of the form `Name: value`, the value is
 * replaced. If the text has a credential header in another form, such as JSON, the whole text is replaced. Other text stays unchanged.
 */
export function redactHeaderText(text: string): string {
  if (!credentialHeaderName.test(text)) return text
  const redactedLines = text.replace(fieldLine, `$1${defaultReplacement}`)
  return fieldInOtherForm.test(redactedLines) ? defaultReplacement : redactedLines
}

const credentialHeaderNames = [...credentialHeaders].join('|')
const credentialHeaderName = new RegExp(credentialHeaderNames, 'i')

/**
 * A field of a credential header at the start of a line, with the lines that continue its value (RFC 9112 section 5.2). At most one
 * alternative matches at a position, so the time is linear.
 */
const fieldLine = new RegExp(
  `(?<=^|[\\r\\n])([ \\t]*(?:${credentialHeaderNames})[ \\t]*:[ \\t]*)(?:[^\\r\\n]|\\r(?!\\n)|\\r?\\n[ \\t])*`,
  'gi',
)

/**
 * The name of a credential header with the separator between name and value, in any form, such as JSON. Redacted lines,
 * `Name: [REDACTED]`, are excluded.
 */
const fieldInOtherForm = new RegExp(
  `(?<![0-9a-z_-])(?:${credentialHeaderNames})(?:["'\`]\\s*[:=,]|\\s*[:=](?! ?\\[REDACTED\\]))`,
  'i',
)
