import { nearest } from '../../options/nearest-name.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { configProblem, type ConfigEntry, type ConfigNode, type Position } from './config-document.ts'

/** The problems found in a configuration file, and the properties without effect. */
export interface ConfigReport {
  readonly file: string
  /** Whether unknown properties are ignored, because the file's schema is newer than the implemented one. */
  lenient: boolean
  readonly problems: ConfigurationProblem[]
  /** Paths of properties that have no effect. */
  readonly ignored: string[]
}

/** A node with its path: an item of a list, or the value of a property. */
export interface ConfigItem {
  readonly path: string
  readonly node: ConfigNode
}

/**
 * A mapping of a configuration file. Each method reads one property. It returns undefined when the property is missing, null or
 * invalid; an invalid value is reported with its position. `finish` reports the properties that no method read.
 */
export class ConfigSection {
  readonly path: string
  readonly at: Position
  readonly names: readonly string[]
  private readonly entries: ReadonlyMap<string, ConfigEntry>
  private readonly report: ConfigReport
  private readonly known = new Set<string>()

  constructor(path: string, at: Position, entries: ReadonlyMap<string, ConfigEntry>, report: ConfigReport) {
    this.path = path
    this.at = at
    this.names = [...entries.keys()]
    this.entries = entries
    this.report = report
  }

  /** Returns the mapping at a node. With `nullable`, as for components, null is an empty mapping. */
  static at({ path, node }: ConfigItem, report: ConfigReport, nullable = false): ConfigSection | undefined {
    if (node.kind === 'section') return new ConfigSection(path, node.at, node.entries, report)
    if (nullable && isNull(node)) return new ConfigSection(path, node.at, new Map(), report)
    report.problems.push(expected(report, path, 'a mapping', node))
    return undefined
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  /** Reports a problem of a property, or of the section itself when there is no `name`. */
  wrong(message: string, name?: string): void {
    const at = (name === undefined ? undefined : this.entries.get(name)?.node.at) ?? this.at
    this.report.problems.push(configProblem(this.report.file, `${this.pathOf(name)} ${message}`, at))
  }

  /** Reports that a property has no effect. */
  ignore(name: string): void {
    this.known.add(name)
    this.report.ignored.push(this.pathOf(name))
  }

  string(name: string): string | undefined {
    return this.scalar(name, 'a string', (value) => (typeof value === 'string' ? value : undefined))
  }

  flag(name: string): boolean | undefined {
    return this.scalar(name, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined))
  }

  integer(name: string, least: number, most: number = Number.MAX_SAFE_INTEGER): number | undefined {
    const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`
    const isOne = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= least
    return this.scalar(name, `an integer ${range}`, (value) => (isOne(value) && value <= most ? value : undefined))
  }

  word<W extends string>(name: string, words: readonly W[]): W | undefined {
    return this.scalar(name, `one of ${words.join(', ')}`, (value) => words.find((word) => word === value))
  }

  /** Returns the property's node of any kind. */
  node(name: string): ConfigItem | undefined {
    this.known.add(name)
    const entry = this.entries.get(name)
    return entry === undefined ? undefined : { path: this.pathOf(name), node: entry.node }
  }

  section(name: string, nullable = false): ConfigSection | undefined {
    const item = this.node(name)
    return item === undefined ? undefined : ConfigSection.at(item, this.report, nullable)
  }

  /** Returns the items of a list, which must have at least one. */
  list(name: string): readonly ConfigItem[] | undefined {
    const item = this.node(name)
    if (item === undefined) return undefined
    const { path, node } = item
    if (node.kind === 'list' && node.items.length > 0)
      return node.items.map((inner, index) => ({ path: `${path}[${index}]`, node: inner }))
    this.report.problems.push(expected(this.report, path, 'a list with at least one item', node))
    return undefined
  }

  sections(name: string): readonly ConfigSection[] | undefined {
    return this.list(name)?.flatMap((item) => ConfigSection.at(item, this.report) ?? [])
  }

  /** Returns the component of a section that must have exactly one, such as an exporter. */
  component(): { readonly name: string; readonly options: ConfigSection } | undefined {
    const [name, ...more] = this.names
    if (name === undefined || more.length > 0) {
      this.wrong('must have exactly one property, which names a component')
      return undefined
    }
    const options = this.section(name, true)
    if (options === undefined) return undefined
    // Problems of the component as a whole are reported at its name.
    return { name, options: new ConfigSection(options.path, this.entries.get(name)!.at, options.entries, this.report) }
  }

  /** Reports a required property that is missing. */
  require(name: string): void {
    this.known.add(name)
    if (!this.has(name)) this.wrong(`must have the property ${name}`)
  }

  /** Reports unknown properties, or records them as ignored when the report is lenient. */
  finish(): void {
    for (const [name, { at }] of this.entries) {
      if (this.known.has(name)) continue
      if (this.report.lenient) {
        this.report.ignored.push(this.pathOf(name))
        continue
      }
      const meant = nearest(name, [...this.known])
      const hint =
        meant === undefined ? `; valid properties are ${[...this.known].join(', ')}` : `; did you mean ${meant}?`
      const message = `${this.pathOf(name)} is an unknown property${this.known.size === 0 ? '' : hint}`
      this.report.problems.push(configProblem(this.report.file, message, at))
    }
  }

  private scalar<T>(name: string, what: string, read: (value: unknown) => T | undefined): T | undefined {
    const item = this.node(name)
    if (item === undefined || isNull(item.node)) return undefined
    const value = item.node.kind === 'scalar' ? read(item.node.value) : undefined
    if (value === undefined) this.report.problems.push(expected(this.report, item.path, what, item.node))
    return value
  }

  private pathOf(name: string | undefined): string {
    if (name === undefined) return this.path === '' ? 'the file' : this.path
    return this.path === '' ? name : `${this.path}.${name}`
  }
}

/** Returns whether a node is null, which means that its default is used. */
export function isNull(node: ConfigNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

/** Describes a value of the wrong type. The value is not quoted, because it may come from a variable that holds a secret. */
function expected({ file }: ConfigReport, path: string, what: string, node: ConfigNode): ConfigurationProblem {
  const found = node.kind === 'scalar' ? scalarKind(node.value) : node.kind === 'list' ? 'a list' : 'a mapping'
  const hint = what === 'a string' && node.kind === 'scalar' && node.value !== null ? ': put it in quotes' : ''
  // Do not add the received type when it is correct and only the value is wrong.
  const isType = what.startsWith(found === 'a string' ? 'one of' : found === 'a number' ? 'an integer' : '?')
  const received = isType ? '' : `, not ${found}`
  return configProblem(file, `${path} must be ${what}${received}${hint}`, node.at)
}

function scalarKind(value: unknown): string {
  return value === null ? 'null' : typeof value === 'boolean' ? 'a boolean' : `a ${typeof value}`
}
