import { nearestName } from '../../options/nearest-name.ts'
import { patternPresets, type PatternPresetName } from '../../redact/patterns/presets.ts'
import { UsageError } from './usage-error.ts'

const presetNames = Object.keys(patternPresets) as readonly PatternPresetName[]

/**
 * Returns the names of the patterns that are redacted.
 *
 * @throws UsageError if a name is unknown.
 */
export function redactList(names: readonly string[]): readonly PatternPresetName[] {
  return names.map((name) => {
    const known = presetNames.find((preset) => preset === name)
    if (known !== undefined) return known
    const nearest = nearestName(name, presetNames)
    const hint = nearest === undefined ? `use ${presetNames.join(', ')}` : `did you mean ${nearest}?`
    throw new UsageError(`--redact: unknown pattern '${name}'; ${hint}`)
  })
}
