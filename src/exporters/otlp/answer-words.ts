import { maskSecrets } from './mask.ts'

/** The maximum length of a server's message in a diagnostic, in characters. */
const maxLength = 200

/**
 * Returns a server's message in parentheses for a diagnostic, or an empty string if there is none. Servers repeat what they
 * received, so secrets are masked, before the text is truncated so that no partial secret remains. To exclude logged values,
 * everything from the first quotation on is removed. (For JSON that it cannot parse, the Collector responds with `error found
 * in #10 byte of ...|…|..., bigger context ...|…|...`, where the bars surround parts of the request.)
 */
export function describedAnswer(words: string, secrets: readonly string[]): string {
  const [unquoted = ''] = maskSecrets(words.replaceAll(invisible, ' '), secrets).split(quotation, 1)
  const text = unquoted.trim()
  if (text === '') return ''
  return ` (${text.length > maxLength ? `${text.slice(0, maxLength)}…` : text})`
}

/** Control and format characters, lone surrogates and line separators, which could forge or hide a line of output. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu
/** The start of a quotation. An apostrophe inside a word does not start one. */
const quotation = /error found in|bigger context|["{`|“„«‘]|(?<![\p{L}\p{N}])'/iu
