import { nearestName } from '../../options/nearest-name.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { configProblem, type ConfigEntry, type ConfigNode, type Position } from './config-document.ts'

/** The problems found in a configuration file, and the properties without effect. */
export interface ConfigReport {
  readonly file: string
  /** Whether unknown properties are ignored and not problems, because the file's schema is newer than the implemented one. */
  isLenient: boolean
  readonly problems: ConfigurationProblem[]
  /** The paths of properties that have no effect. */
  readonly ignored: string[]
}

/** A node with its path: an item of a list, or the value of a property. */
export interface ConfigItem {
  readonly path: string
  readonly node: ConfigNode
}

/**
 * A mapping of a configuration file. The methods that return a property return undefined if it is missing or invalid; an invalid value
 * is reported with its position. Null counts as missing where a scalar is expected, and as invalid where a list or a
 * mapping is, except in `nullableSection`. `reportUnknown` reports the properties that no method has read.
 */
export class ConfigSection {
  readonly path: string
  readonly position: Position
  /** The names of all properties. */
  readonly names: readonly string[]
  private readonly entries: ReadonlyMap<string, ConfigEntry>
  private readonly report: ConfigReport
  /** The names of valid properties: those that were read, required or ignored. */
  private readonly knownNames = new Set<string>()

  constructor(path: string, position: Position, entries: ReadonlyMap<string, ConfigEntry>, report: ConfigReport) {
    this.path = path
    this.position = position
    this.names = [...entries.keys()]
    this.entries = entries
    this.report = report
  }

  /**
   * Returns the mapping of an item. Reports any other value and returns undefined.
   *
   * @param isNullable - whether null is an empty mapping, as for components
   */
  static of({ path, node }: ConfigItem, report: ConfigReport, isNullable = false): ConfigSection | undefined {
    if (node.kind === 'section') return new ConfigSection(path, node.position, node.entries, report)
    if (isNullable && isNull(node)) return new ConfigSection(path, node.position, new Map(), report)
    report.problems.push(typeProblem(report, path, 'a mapping', node))
    return undefined
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  /** Reports a problem of a property, or of the section itself when there is no `name`. */
  reportProblem(message: string, name?: string): void {
    const position = (name === undefined ? undefined : this.entries.get(name)?.node.position) ?? this.position
    this.report.problems.push(configProblem(this.report.file, `${this.pathOf(name)} ${message}`, position))
  }

  /** Reports that a property has no effect. */
  reportIgnored(name: string): void {
    this.knownNames.add(name)
    this.report.ignored.push(this.pathOf(name))
  }

  string(name: string): string | undefined {
    return this.scalar(name, 'a string', (value) => (typeof value === 'string' ? value : undefined))
  }

  flag(name: string): boolean | undefined {
    return this.scalar(name, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined))
  }

  integer(name: string, minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): number | undefined {
    const range = maximum === Number.MAX_SAFE_INTEGER ? `of ${minimum} or more` : `from ${minimum} to ${maximum}`
    const isAtLeast = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= minimum
    return this.scalar(name, `an integer ${range}`, (value) =>
      isAtLeast(value) && value <= maximum ? value : undefined,
    )
  }

  /** Returns a string that must be one of `words`. */
  word<W extends string>(name: string, words: readonly W[]): W | undefined {
    return this.scalar(name, `one of ${words.join(', ')}`, (value) => words.find((word) => word === value))
  }

  /** Returns a property with a value of any kind. */
  item(name: string): ConfigItem | undefined {
    this.knownNames.add(name)
    const entry = this.entries.get(name)
    return entry === undefined ? undefined : { path: this.pathOf(name), node: entry.node }
  }

  section(name: string): ConfigSection | undefined {
    const item = this.item(name)
    return item === undefined ? undefined : ConfigSection.of(item, this.report)
  }

  /** Returns the mapping of a property, as `section` does, but an empty mapping for null, because components may be null. */
  nullableSection(name: string): ConfigSection | undefined {
    const item = this.item(name)
    return item === undefined ? undefined : ConfigSection.of(item, this.report, true)
  }

  /** Returns the items of a list, which must have at least one. */
  list(name: string): readonly ConfigItem[] | undefined {
    const item = this.item(name)
    if (item === undefined) return undefined
    const { path, node } = item
    if (node.kind === 'list' && node.items.length > 0)
      return node.items.map((inner, index) => ({ path: `${path}[${index}]`, node: inner }))
    this.report.problems.push(typeProblem(this.report, path, 'a list with at least one item', node))
    return undefined
  }

  /** Returns the items of a list of mappings, without those that are invalid. */
  sections(name: string): readonly ConfigSection[] | undefined {
    return this.list(name)?.flatMap((item) => ConfigSection.of(item, this.report) ?? [])
  }

  /** Returns the only property of a section, which names a component, such as an exporter, and the component's options. */
  component(): { readonly name: string; readonly options: ConfigSection } | undefined {
    const [name, ...otherNames] = this.names
    if (name === undefined || otherNames.length > 0) {
      this.reportProblem('must have exactly one property, which names a component')
      return undefined
    }
    const options = this.nullableSection(name)
    if (options === undefined) return undefined
    // Problems of the component as a whole are reported at its name.
    return {
      name,
      options: new ConfigSection(options.path, this.entries.get(name)!.position, options.entries, this.report),
    }
  }

  /** Reports a required property if it is missing. */
  require(name: string): void {
    this.knownNames.add(name)
    if (!this.has(name)) this.reportProblem(`must have the property ${name}`)
  }

  /** Reports the properties that are not known, as problems or, if the report is lenient, as ignored. */
  reportUnknown(): void {
    for (const [name, { position }] of this.entries) {
      if (this.knownNames.has(name)) continue
      if (this.report.isLenient) {
        this.report.ignored.push(this.pathOf(name))
        continue
      }
      const similarName = nearestName(name, [...this.knownNames])
      const hint =
        similarName === undefined
          ? `; valid properties are ${[...this.knownNames].join(', ')}`
          : `; did you mean ${similarName}?`
      const message = `${this.pathOf(name)} is an unknown property${this.knownNames.size === 0 ? '' : hint}`
      this.report.problems.push(configProblem(this.report.file, message, position))
    }
  }

  /**
   * Returns a scalar.
   *
   * @param expected - what the value must be, for the message of a problem
   * @param read - returns the value; undefined if it is invalid
   */
  private scalar<T>(name: string, expected: string, read: (value: unknown) => T | undefined): T | undefined {
    const item = this.item(name)
    if (item === undefined || isNull(item.node)) return undefined
    const value = item.node.kind === 'scalar' ? read(item.node.value) : undefined
    if (value === undefined) this.report.problems.push(typeProblem(this.report, item.path, expected, item.node))
    return value
  }

  private pathOf(name: string | undefined): string {
    if (name === undefined) return this.path === '' ? 'the file' : this.path
    return this.path === '' ? name : `${this.path}.${name}`
  }
}

export function isNull(node: ConfigNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

/** Returns the problem of an invalid value. It does not contain the value, which may come from a variable that holds a secret. */
function typeProblem({ file }: ConfigReport, path: string, expected: string, node: ConfigNode): ConfigurationProblem {
  const received = node.kind === 'scalar' ? scalarKind(node.value) : node.kind === 'list' ? 'a list' : 'a mapping'
  const hint = expected === 'a string' && node.kind === 'scalar' && node.value !== null ? ': put it in quotes' : ''
  // Do not add the received type if it is correct and only the value is wrong. No expectation begins with `?`.
  const isTypeCorrect = expected.startsWith(
    received === 'a string' ? 'one of' : received === 'a number' ? 'an integer' : '?',
  )
  const contrast = isTypeCorrect ? '' : `, not ${received}`
  return configProblem(file, `${path} must be ${expected}${contrast}${hint}`, node.position)
}

function scalarKind(value: unknown): string {
  return value === null ? 'null' : typeof value === 'boolean' ? 'a boolean' : `a ${typeof value}`
}
