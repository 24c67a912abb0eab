import { extname } from 'node:path'
import type { Node, Scalar } from 'yaml'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import type { Environment } from '../../platform/node/variables.ts'
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

/** A node of a configuration file, after environment variables were substituted. `text` is the text of a scalar, `value` its value. */
export type ConfigNode =
  | { readonly kind: 'scalar'; readonly position: Position; readonly value: ScalarValue; readonly text: string }
  | { readonly kind: 'list'; readonly position: Position; readonly items: readonly ConfigNode[] }
  | { readonly kind: 'section'; readonly position: Position; readonly entries: ReadonlyMap<string, ConfigEntry> }

/** A property of a section. */
export interface ConfigEntry {
  /** The position of the property's name. */
  readonly position: Position
  readonly node: ConfigNode
}

/** The maximum size of a configuration file, in bytes. */
const maxBytes = 1024 * 1024
/** The maximum number of nodes. A node counts again for each alias that refers to it. */
const maxNodes = 100_000
/** The maximum nesting depth of nodes. An alias counts as one level. */
const maxDepth = 100

/**
 * Reads a configuration file (YAML 1.2, core schema) and substitutes environment variables in its scalar values.
 *
 * @param nameIfUnreadable - the name to use in messages instead of the path if that is not the path of a readable YAML file: such a path
 * may come from a variable that holds a secret
 * @throws ConfigurationError with the file's path, and with line and column where known. No message quotes the file or the
 * environment.
 */
export function readConfigDocument(path: string, env: Environment, nameIfUnreadable: string = path): ConfigNode {
  const fail = (message: string, position?: Position): never => {
    throw new ConfigurationError([configProblem(path, message, position)])
  }
  const text = textOf(path, (message) => {
    throw new ConfigurationError([configProblem(nameIfUnreadable, message)])
  })
  const yaml = loadYaml() ?? fail('cannot be parsed: copy dist/yaml-parser.cjs of this package next to the bundle')
  return new DocumentReader(yaml, text, env, fail).read()
}

/** Returns a problem with the file's path and, where known, its line and column. */
export function configProblem(path: string, message: string, position?: Position): ConfigurationProblem {
  const pathAndPosition = position === undefined ? path : `${path}:${position.line}:${position.column}`
  return { code: 'SLUICE_CONFIG_FILE_INVALID', path: pathAndPosition, message }
}

/** Throws a ConfigurationError with a message. */
type Fail = (message: string, position?: Position) => never

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

/** Converts the text of a configuration file to a `ConfigNode`. */
class DocumentReader {
  private readonly yaml: typeof YamlParser
  private readonly text: string
  private readonly env: Environment
  private readonly fail: Fail
  private readonly lineCounter: YamlParser.LineCounter
  /** The nodes that aliases can refer to, by anchor. */
  private readonly anchors = new Map<string, Node>()
  private nodeCount = 0

  constructor(yaml: typeof YamlParser, text: string, env: Environment, fail: Fail) {
    this.yaml = yaml
    this.text = text
    this.env = env
    this.fail = fail
    this.lineCounter = new yaml.LineCounter()
  }

  read(): ConfigNode {
    const documents = this.yaml.parseAllDocuments(this.text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      prettyErrors: false,
      logLevel: 'silent',
      lineCounter: this.lineCounter,
    })
    const [document, ...otherDocuments] = Array.isArray(documents) ? documents : []
    if (document === undefined || document.contents === null) return this.fail('is empty; it must set file_format')
    for (const error of [...document.errors, ...document.warnings]) {
      // Some parser messages end with an excerpt of the file, which may be a secret.
      const [message] = error.message.split(/: | ?["'`%\\]/)
      this.fail(`is not valid YAML: ${message} (${error.code})`, this.positionOf(error.pos[0]))
    }
    if (otherDocuments.length > 0)
      this.fail('must contain exactly one YAML document', this.positionOf(otherDocuments[0]!.range[0]))
    return this.node(document.contents, 0)
  }

  private node(node: Node, depth: number): ConfigNode {
    const position = this.positionOf(member(node, 'range')?.[0] ?? 0)
    if (++this.nodeCount > maxNodes || depth > maxDepth) this.fail('has too many or too deeply nested values', position)
    const { isAlias, isMap, isScalar, isSeq } = this.yaml
    if (isAlias(node)) {
      const target =
        this.anchors.get(node.source) ?? this.fail('refers to an anchor that is not defined before it', position)
      return this.node(target, depth + 1)
    }
    let result: ConfigNode
    if (isScalar(node)) result = this.scalar(node, position)
    else if (isSeq(node))
      result = { kind: 'list', position, items: node.items.map((item) => this.node(item as Node, depth + 1)) }
    else if (isMap(node)) {
      const entries = new Map<string, ConfigEntry>()
      for (const { key, value } of node.items) {
        const name = isScalar(key) && typeof key.value === 'string' ? key.value : undefined
        const keyPosition = this.positionOf((key === null ? undefined : member(key as Node, 'range'))?.[0] ?? 0)
        if (name === undefined) return this.fail('has a property whose name is not a string', keyPosition)
        const nullNode: ConfigNode = { kind: 'scalar', position: keyPosition, value: null, text: '' }
        entries.set(name, {
          position: keyPosition,
          node: value === null ? nullNode : this.node(value as Node, depth + 1),
        })
      }
      result = { kind: 'section', position, entries }
    } else return this.fail('has a value that is not a scalar, a sequence or a mapping', position)
    const anchor = member(node as { anchor?: unknown }, 'anchor')
    if (typeof anchor === 'string') this.anchors.set(anchor, node)
    return result
  }

  /**
   * Resolves a scalar. Only a plain (unquoted) scalar can have a type other than string. Its text after substitution determines the type.
   */
  private scalar(node: Scalar, position: Position): ConfigNode {
    const { type, tag, source: plainSource } = membersOf(node, ['type', 'tag', 'source'])
    const isPlain = type === 'PLAIN' && tag !== 'tag:yaml.org,2002:str'
    const source = isPlain ? (plainSource ?? '') : String(node.value)
    try {
      const text = substituteVariables(source, this.env)
      return { kind: 'scalar', position, value: isPlain ? plainScalar(text) : text, text }
    } catch (error) {
      if (!(error instanceof SubstitutionError)) throw error
      const forms = '${NAME}, ${env:NAME} or ${NAME:-default}'
      return this.fail(`has an invalid substitution; use ${forms}, and $$ for a literal $`, position)
    }
  }

  private positionOf(offset: number): Position {
    const { line, col } = this.lineCounter.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
}
