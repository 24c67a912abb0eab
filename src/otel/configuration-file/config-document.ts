import { extname } from 'node:path'
import type { Node, Scalar } from 'yaml'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import type { Environment } from '../../platform/node/env.ts'
import { readConfiguredFile } from '../../platform/node/regular-files.ts'
import { loadYaml } from './load-yaml.ts'
import { plainScalar, substituteVariables, SubstitutionError, type ScalarValue } from './substitution.ts'
import type * as YamlParser from './yaml-parser.ts'
import { member, membersOf } from '../../options/own-members.ts'

/** A position in a configuration file. Line and column start at 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A node of a configuration file, after environment variable substitution. */
export type ConfigNode =
  | { readonly kind: 'scalar'; readonly at: Position; readonly value: ScalarValue; readonly text: string }
  | { readonly kind: 'list'; readonly at: Position; readonly items: readonly ConfigNode[] }
  | { readonly kind: 'section'; readonly at: Position; readonly entries: ReadonlyMap<string, ConfigEntry> }

/** A property of a section. `at` is the position of the property name. */
export interface ConfigEntry {
  readonly at: Position
  readonly node: ConfigNode
}

/** The maximum size of a configuration file in bytes, and the maximum number of nodes after alias expansion. */
const maxBytes = 1024 * 1024
const maxNodes = 100_000
const maxDepth = 100

/**
 * Reads a configuration file (YAML 1.2, core schema) and substitutes environment variables in its scalar values.
 *
 * @param unread - the name to use in messages when the path is not a readable file. The path may come from a variable that holds a
 * secret.
 * @throws ConfigurationError with the file's path, and with line and column where known. No message quotes the file or the
 * environment.
 */
export function readConfigDocument(path: string, env: Environment, unread: string = path): ConfigNode {
  const fail = (message: string, at?: Position): never => {
    throw new ConfigurationError([configProblem(path, message, at)])
  }
  const text = textOf(path, (message) => {
    throw new ConfigurationError([configProblem(unread, message)])
  })
  const yaml = loadYaml() ?? fail('cannot be parsed: copy dist/yaml-parser.cjs of this package next to the bundle')
  return new DocumentReader(yaml, text, env, fail).read()
}

/** Returns a problem with the file's path and, where known, its line and column. */
export function configProblem(path: string, message: string, at?: Position): ConfigurationProblem {
  const place = at === undefined ? path : `${path}:${at.line}:${at.column}`
  return { code: 'SLUICE_CONFIG_FILE_INVALID', path: place, message }
}

type Fail = (message: string, at?: Position) => never

function textOf(path: string, fail: Fail): string {
  if (!['.yaml', '.yml'].includes(extname(path))) return fail('must be a YAML file, with the extension .yaml or .yml')
  try {
    const text = readConfiguredFile(path, maxBytes)
    if (text !== undefined) return text
  } catch (error) {
    return fail(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'Error'})`)
  }
  return fail(`must be a regular file of at most ${maxBytes} bytes`)
}

class DocumentReader {
  private readonly yaml: typeof YamlParser
  private readonly text: string
  private readonly env: Environment
  private readonly fail: Fail
  private readonly lines: YamlParser.LineCounter
  private readonly anchors = new Map<string, Node>()
  private nodes = 0

  constructor(yaml: typeof YamlParser, text: string, env: Environment, fail: Fail) {
    this.yaml = yaml
    this.text = text
    this.env = env
    this.fail = fail
    this.lines = new yaml.LineCounter()
  }

  read(): ConfigNode {
    const documents = this.yaml.parseAllDocuments(this.text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      prettyErrors: false,
      logLevel: 'silent',
      lineCounter: this.lines,
    })
    const [document, ...otherDocuments] = Array.isArray(documents) ? documents : []
    if (document === undefined || document.contents === null) return this.fail('is empty; it must set file_format')
    for (const error of [...document.errors, ...document.warnings]) {
      // Some parser messages end with an excerpt of the file, which may be a secret.
      const [message] = error.message.split(/: | ?["'`%\\]/)
      this.fail(`is not valid YAML: ${message} (${error.code})`, this.position(error.pos[0]))
    }
    if (otherDocuments.length > 0)
      this.fail('must contain exactly one YAML document', this.position(otherDocuments[0]!.range[0]))
    return this.node(document.contents, 0)
  }

  private node(node: Node, depth: number): ConfigNode {
    const at = this.position(member(node, 'range')?.[0] ?? 0)
    if (++this.nodes > maxNodes || depth > maxDepth) this.fail('has too many or too deeply nested values', at)
    const { isAlias, isMap, isScalar, isSeq } = this.yaml
    if (isAlias(node)) {
      const target = this.anchors.get(node.source) ?? this.fail('refers to an anchor that is not defined before it', at)
      return this.node(target, depth + 1)
    }
    let read: ConfigNode
    if (isScalar(node)) read = this.scalar(node, at)
    else if (isSeq(node))
      read = { kind: 'list', at, items: node.items.map((item) => this.node(item as Node, depth + 1)) }
    else if (isMap(node)) {
      const entries = new Map<string, ConfigEntry>()
      for (const { key, value } of node.items) {
        const name = isScalar(key) && typeof key.value === 'string' ? key.value : undefined
        const keyAt = this.position((key === null ? undefined : member(key as Node, 'range'))?.[0] ?? 0)
        if (name === undefined) return this.fail('has a property whose name is not a string', keyAt)
        const none: ConfigNode = { kind: 'scalar', at: keyAt, value: null, text: '' }
        entries.set(name, { at: keyAt, node: value === null ? none : this.node(value as Node, depth + 1) })
      }
      read = { kind: 'section', at, entries }
    } else return this.fail('has a value that is not a scalar, a sequence or a mapping', at)
    const anchor = member(node as { anchor?: unknown }, 'anchor')
    if (typeof anchor === 'string') this.anchors.set(anchor, node)
    return read
  }

  /**
   * Resolves a scalar. Only a plain scalar can have a type other than string, which is determined from its text after substitution.
   */
  private scalar(node: Scalar, at: Position): ConfigNode {
    const { type, tag, source: text } = membersOf(node, ['type', 'tag', 'source'])
    const isPlain = type === 'PLAIN' && tag !== 'tag:yaml.org,2002:str'
    const source = isPlain ? (text ?? '') : String(node.value)
    try {
      const text = substituteVariables(source, this.env)
      return { kind: 'scalar', at, value: isPlain ? plainScalar(text) : text, text }
    } catch (error) {
      if (!(error instanceof SubstitutionError)) throw error
      const forms = '${NAME}, ${env:NAME} or ${NAME:-default}'
      return this.fail(`has an invalid substitution; use ${forms}, and $$ for a literal $`, at)
    }
  }

  private position(offset: number): Position {
    const { line, col } = this.lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
}
