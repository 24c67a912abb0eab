// Migrates a code base from pino to sluice/pino. It needs only Node, so you can copy it:
//
//   node codemod-pino.ts src test            lists its changes, and the places to check manually
//   node codemod-pino.ts --write src test    changes the files
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

interface Token {
  readonly kind: 'text' | 'word' | 'mark'
  /** The source text. For a string, without its quotes. */
  readonly value: string
  /** Where the value begins. */
  readonly at: number
}

const parts =
  /(?<space>\s+|\/\/[^\n]*|\/\*[^]*?\*\/)|(?<text>'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*")|(?<word>[\p{ID_Continue}$]+)|(?<mark>[^])/uy
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y
const template = /((?:[^`\\$]|\\[^]|\$(?!\{))*)(`|\$\{)/y
/** Behind these words, and behind marks that end no value, a slash begins a regular expression. Behind `<` it is a tag's. */
const beforeValues = /^(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield)$/

/** The tokens of a program, without what is only a comment. Throws where it does not see the end of a template. */
function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  /** The braces that are open, those of programs and those of templates. */
  const open: string[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  const takeTemplate = (whole: boolean): void => {
    const start = at
    const [, value, end] = take(template) ?? []
    if (value === undefined) throw new SyntaxError('it has a template without an end')
    if (end === '${') {
      open.push(end)
      tokens.push({ kind: 'mark', value: '{', at: start })
    } else tokens.push({ kind: 'text', value: whole ? value : '', at: start })
  }
  while (at < source.length) {
    const last = tokens.at(-1)
    const isValue =
      last !== undefined && (last.kind === 'mark' ? /[)\]}<]/.test(last.value) : !beforeValues.test(last.value))
    const start = at
    const { space, text, word, mark = '' } = take(parts)?.groups ?? {}
    if (space !== undefined) continue
    if (text !== undefined) tokens.push({ kind: 'text', value: text.slice(1, -1), at: start + 1 })
    else if (word !== undefined) tokens.push({ kind: 'word', value: word, at: start })
    else if (mark === '`') takeTemplate(true)
    else if (mark === '}' && open.pop() === '${') takeTemplate(false)
    else {
      if (mark === '{') open.push(mark)
      if (mark === '/' && !isValue) {
        at = start
        if (take(regularExpression) === null) at = start + 1
      }
      tokens.push(at > start + 1 ? { kind: 'word', value: '/…/', at: start } : { kind: 'mark', value: mark, at: start })
    }
  }
  if (open.includes('${')) throw new SyntaxError('it has a template without an end')
  return tokens
}

/** Returns whether the string at an index names a module that is imported, required or mocked. */
function isImport(tokens: readonly Token[], index: number): boolean {
  const before = (back: number): string => {
    const token = tokens[index - back]
    return token === undefined || token.kind === 'text' ? '' : token.value
  }
  if (before(1) === 'import') return true
  if (before(1) === 'from') {
    // Between an import statement's first word and `from` are only names. Text in JSX has no such word before it.
    const head = tokens.slice(0, index).findLastIndex(({ kind, value }) => kind === 'mark' && !/[{},*]/.test(value))
    return tokens.slice(head + 1, index).some(({ kind, value }) => kind === 'word' && /^(?:import|export)$/.test(value))
  }
  if (before(1) !== '(' || before(3) === '.') {
    return before(1) === '(' && /^(?:jest|vi|mock)$/.test(before(4)) && /mock|module|require|import/i.test(before(2))
  }
  return before(2) === 'import' || before(2) === 'require'
}

const advice: Readonly<Record<string, string>> = {
  final: 'pino.final is gone since pino 7: without it, queued lines are written when the process exits',
  prettyPrint: 'prettyPrint is gone since pino 7: use the transport pino-pretty',
  transport: 'transports run as before; one that only writes a file, or sends to a collector, can become an exporter',
  browser: 'the option browser is for the browser build of pino, which sluice/pino does not replace: see sluice/core',
}

interface Findings {
  readonly text: string
  /** By line, counted from 1. */
  readonly looks: readonly (readonly [number, string])[]
}

function move(source: string, path: string): Findings {
  const tokens = tokensOf(source)
  const looks: [number, string][] = []
  const look = ({ at }: Token, what: string): unknown => looks.push([source.slice(0, at).split('\n').length, what])
  const names = tokens.filter(({ kind, value }) => kind === 'text' && /^pino(?:$|\/)/.test(value))
  const imports = names.filter((token) => token.value === 'pino' && isImport(tokens, tokens.indexOf(token)))

  for (const token of names) {
    const last = tokens[tokens.indexOf(token) - 1]?.value
    if (imports.includes(token) || token.value === 'pino/file') continue
    if (token.value !== 'pino') look(token, `'${token.value}' is a part of pino that sluice/pino does not have`)
    else if (last === 'module') look(token, `types are added to 'pino': add them to 'sluice/pino'`)
    else look(token, `a text 'pino' that imports nothing: does it name the module?`)
  }
  for (const [index, token] of tokens.entries()) {
    const [next, last] = [tokens[index + 1]?.value, tokens[index - 1]?.value]
    if (token.kind === 'text' && token.value === 'pino-http' && isImport(tokens, index)) {
      look(token, 'pino-http makes a logger of pino by itself, unless it is given one: pinoHttp({ logger })')
    }
    if (imports.length === 0 || token.kind !== 'word' || !Object.hasOwn(advice, token.value)) continue
    if (token.value === 'final' ? last === '.' && next === '(' : next === ':' || (last === '.' && next === '(')) {
      look(token, advice[token.value] ?? '')
    }
  }
  if (/__mocks__\/pino\.\w+$/.test(path))
    looks.push([1, 'a mock of the package pino: it belongs to __mocks__/sluice/pino'])

  const text = imports.reduceRight((text, { at }) => `${text.slice(0, at)}sluice/${text.slice(at)}`, source)
  return { text, looks: looks.toSorted(([a], [b]) => a - b) }
}

const programs = '**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx}'
const exclude = (name: string): boolean => /(?:^|\/)(?:node_modules|\.[^/.][^/]*)$/.test(name)
const filesOf = (path: string): string[] =>
  statSync(path).isDirectory() ? globSync(programs, { cwd: path, exclude }).map((file) => join(path, file)) : [path]

const write = process.argv.includes('--write')
const files = process.argv
  .slice(2)
  .filter((argument) => argument !== '--write')
  .flatMap(filesOf)
  .toSorted()
let changed = 0
let places = 0
for (const path of files) {
  const source = readFileSync(path, 'utf8')
  if (!source.includes('pino')) continue
  try {
    const { text, looks } = move(source, path)
    const [before, after] = [source.split('\n'), text.split('\n')]
    const lines = before.flatMap((line, index) => {
      const diff =
        line === after[index] ? [] : [`${index + 1}: - ${line.trim()}`, `${index + 1}: + ${after[index]?.trim()}`]
      return diff.concat(looks.filter(([at]) => at === index + 1).map(([at, what]) => `${at}: ? ${what}`))
    })
    if (lines.length > 0) console.log([relative('', path), ...lines].join('\n  '))
    changed += text === source ? 0 : 1
    places += looks.length
    if (write && text !== source) writeFileSync(path, text)
  } catch (error) {
    places++
    console.log(`${relative('', path)}\n  1: ? not changed: ${(error as Error).message}`)
  }
}
if (files.length === 0) console.log('node codemod-pino.ts [--write] <file or folder>…')
else
  console.log(`${files.length} files read, ${changed} ${write ? 'changed' : 'to change'}, ${places} places to look at`)
