import { masked } from './mask.ts'

/** How much of a server's words is told, in characters. */
const mostTold = 200

/**
 * What is told of a server's words, in brackets; '' where there are none. Servers repeat what they were sent. Secrets are
 * masked, before anything is cut so that no half of one is left. No message holds a logged value: everything from the first quoted piece on is left out. (A Collector answers JSON that it cannot read
 * with `error found in #10 byte of ...|…|..., bigger context ...|…|...`, each bar around a piece of the request.)
 */
export function describedAnswer(words: string, secrets: readonly string[]): string {
  const [unquoted = ''] = masked(words.replaceAll(invisible, ' '), secrets).split(quotation, 1)
  const text = unquoted.trim()
  if (text === '') return ''
  return ` (${text.length > mostTold ? `${text.slice(0, mostTold)}…` : text})`
}

/** Control and format characters, half a surrogate pair, and line ends: they could forge a line, or hide one. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu
/** An apostrophe inside of a word quotes nothing. */
const quotation = /error found in|bigger context|["{`|“„«‘]|(?<![\p{L}\p{N}])'/iu
