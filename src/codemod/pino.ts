import { tokensOf, type Token } from './tokens.ts'

/** A program after the migration, and the places to check. */
export interface Migration {
  /** The changed source text. */
  readonly text: string
  /** In the order of their lines. */
  readonly remarks: readonly Remark[]
}

/** A place to check manually. */
export interface Remark {
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

/**
 * Migrates a program from pino to sluice/pino: replaces the name of the module where it is imported, required or mocked.
 *
 * @throws SyntaxError if the program has a template without an end.
 */
export function migratePino(source: string, path: string): Migration {
  const tokens = tokensOf(source)
  const remarks: Remark[] = []
  const addRemark = ({ offset }: Token, text: string): unknown =>
    remarks.push({ line: source.slice(0, offset).split('\n').length, text })
  const pinoStrings = tokens.filter(({ kind, value }) => kind === 'string' && /^pino(?:$|\/)/.test(value))
  const imports = pinoStrings.filter((token) => token.value === 'pino' && isImport(tokens, tokens.indexOf(token)))

  for (const token of pinoStrings) {
    const previous = tokens[tokens.indexOf(token) - 1]?.value
    if (imports.includes(token) || token.value === 'pino/file') continue
    if (token.value !== 'pino') addRemark(token, `sluice/pino has no module '${token.value}'`)
    else if (previous === 'module')
      addRemark(token, `this declares types in the module 'pino'; declare them in 'sluice/pino'`)
    else addRemark(token, `the text 'pino' is not an import; if it names the module, write 'sluice/pino'`)
  }
  for (const [index, token] of tokens.entries()) {
    const [next, previous] = [tokens[index + 1]?.value, tokens[index - 1]?.value]
    if (token.kind === 'string' && token.value === 'pino-http' && isImport(tokens, index)) {
      addRemark(token, 'pino-http creates a logger of pino unless it receives one; write pinoHttp({ logger })')
    }
    if (imports.length === 0 || token.kind !== 'word' || !Object.hasOwn(advice, token.value)) continue
    const isMethodCall = previous === '.' && next === '('
    // `final` is only a method of pino. The others are options, and `transport` is also a method.
    const isOption = token.value !== 'final' && next === ':'
    if (isMethodCall || isOption) addRemark(token, advice[token.value] ?? '')
  }
  if (/__mocks__\/pino\.\w+$/.test(path))
    remarks.push({ line: 1, text: 'this file mocks the package pino; move it to __mocks__/sluice/pino' })

  const text = imports.reduceRight((text, { offset }) => `${text.slice(0, offset)}sluice/${text.slice(offset)}`, source)
  return { text, remarks: remarks.toSorted((a, b) => a.line - b.line) }
}

/** Returns whether the string at an index names a module that is imported, required or mocked. */
function isImport(tokens: readonly Token[], index: number): boolean {
  /** Returns the value of the token that is `distance` tokens before the string; an empty string if that is missing or a string. */
  const valueBefore = (distance: number): string => {
    const token = tokens[index - distance]
    return token === undefined || token.kind === 'string' ? '' : token.value
  }
  if (valueBefore(1) === 'import') return true
  if (valueBefore(1) === 'from') {
    // The word `from` can also be text in JSX. In a statement, only names and the marks `{`, `}`, `,` and `*` are between `import` or
    // `export` and `from`, so one of these words follows the last other mark.
    const lastOtherMark = tokens
      .slice(0, index)
      .findLastIndex(({ kind, value }) => kind === 'mark' && !/[{},*]/.test(value))
    return tokens
      .slice(lastOtherMark + 1, index)
      .some(({ kind, value }) => kind === 'word' && /^(?:import|export)$/.test(value))
  }
  if (valueBefore(1) !== '(') return false
  // A method, such as `jest.mock('pino')`.
  if (valueBefore(3) === '.')
    return /^(?:jest|vi|mock)$/.test(valueBefore(4)) && /mock|module|require|import/i.test(valueBefore(2))
  return valueBefore(2) === 'import' || valueBefore(2) === 'require'
}

/** What to do about members and options of pino that may need a manual change. */
const advice: Readonly<Record<string, string>> = {
  final: 'pino 7 removed pino.final; remove the call: queued lines are written when the process exits',
  prettyPrint: 'pino 7 removed prettyPrint; use the transport pino-pretty',
  transport: 'transports work unchanged; an exporter can replace one that writes a file or sends to a collector',
  browser: 'sluice/pino does not replace the browser build of pino; use sluice/core in browsers',
}
