import { severityName, severityRange, standardLevels } from '../../record/severity.ts'
import { sgr, type Paint } from './colors.ts'
import { escapeForTerminal } from './visible.ts'
import { displayWidth } from './width.ts'

/** The text of a level with its color and its width in columns. */
export interface LevelLabel {
  readonly text: string
  readonly width: number
}

/** The colors of the standard levels, from trace to fatal. */
const levelColors = [sgr.dim, sgr.cyan, sgr.green, sgr.yellowBold, sgr.redBold, sgr.redReversed] as const

/** The labels of levels. All labels of the standard levels have the same width. */
export class LevelLabels {
  private readonly labels: ReadonlyMap<string, string>
  private readonly paint: Paint
  private readonly minWidth: number
  private readonly hidesUnspecified: boolean
  private readonly cache = new Map<string, LevelLabel>()

  /**
   * @param labels - the texts by the name of the level; the name in uppercase for other levels
   * @param hidesUnspecified - whether the label of a record without a level and a severity is blank, instead of that of `info`
   */
  constructor(labels: ReadonlyMap<string, string>, paint: Paint, hidesUnspecified = false) {
    this.labels = labels
    this.paint = paint
    this.hidesUnspecified = hidesUnspecified
    this.minWidth = Math.max(...standardLevels.map((name) => displayWidth(this.labelOf(name))))
  }

  /** Returns the label of a record's level. */
  label(level: string, severity: number): LevelLabel {
    if (this.hidesUnspecified && level === '' && severity === 0)
      return { text: ' '.repeat(this.minWidth), width: this.minWidth }
    const name = level === '' ? severityName(severity) : level
    const key = `${severityRange(severity)}${name}`
    const cached = this.cache.get(key)
    if (cached !== undefined) return cached
    const text = this.labelOf(name)
    const width = displayWidth(text)
    const padding = ' '.repeat(Math.max(0, this.minWidth - width))
    const label = {
      text: this.paint(levelColors[severityRange(severity)]!, text) + padding,
      width: Math.max(width, this.minWidth),
    }
    // Callers of OpenTelemetry's Logs API can use any number of names.
    if (this.cache.size < maxCached) this.cache.set(key, label)
    return label
  }

  private labelOf(name: string): string {
    return escapeForTerminal(this.labels.get(name) ?? name.toUpperCase())
  }
}

const maxCached = 64
