import { unknownLevel } from '../../record/level-names.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { standardLevels } from './levels.ts'

type UnknownOptions = Readonly<Record<string, unknown>>
type Levels = Readonly<Record<string, number>> | null | undefined

/**
 * Returns what is invalid in the targets of a transport. Without this check, its thread would report a problem after lines were queued.
 *
 * @param where - the path of the options; empty for the outermost
 * @param levels - numbers of custom levels, by name
 */
export function transportProblems(options: unknown, where: string, levels: Levels): ConfigurationProblem[] {
  const copiedOptions = withoutPrototype(options)
  if (!isObject(copiedOptions)) return [wrongType(where, `must be an object with ${targetKinds}`)]
  const problems: ConfigurationProblem[] = []
  const at = (name: string): string => (where === '' ? name : `${where}.${name}`)
  const { target, targets, pipeline } = copiedOptions
  if (target && targets) {
    const message = 'only one of target or targets can be specified'
    return [{ code: 'SLUICE_OPTION_CONFLICT', path: at('targets'), message }]
  }
  if (isAbsent(target) && isAbsent(targets) && isAbsent(pipeline))
    problems.push(wrongType(where, `must have ${targetKinds}`))
  if (!isAbsent(target) && isAbsent(targets)) addModuleProblem(target, at('target'), problems)
  if (!isAbsent(targets) && !Array.isArray(targets)) problems.push(wrongType(at('targets'), 'must be an array'))
  else {
    for (const [index, each] of ((targets ?? []) as unknown[]).entries()) {
      addEntryProblems(each, at(`targets[${index}]`), levels, problems)
    }
  }
  if (!isAbsent(pipeline)) addPipelineProblems(pipeline, at('pipeline'), levels, problems)
  return problems
}

const targetKinds = 'target, targets or pipeline'

/** Checks one of several targets, or a pipeline among them. */
function addEntryProblems(entry: unknown, where: string, levels: Levels, problems: ConfigurationProblem[]): void {
  const copiedEntry = withoutPrototype(entry)
  if (isObject(copiedEntry) && !isAbsent(copiedEntry['pipeline']) && isAbsent(copiedEntry['target'])) {
    addPipelineProblems(copiedEntry['pipeline'], `${where}.pipeline`, levels, problems)
    addLevelProblem(copiedEntry['level'], `${where}.level`, levels, problems)
  } else addTargetProblems(copiedEntry, where, levels, problems)
}

function addPipelineProblems(pipeline: unknown, where: string, levels: Levels, problems: ConfigurationProblem[]): void {
  if (!Array.isArray(pipeline) || pipeline.length === 0) problems.push(wrongType(where, 'must be an array of targets'))
  else for (const [index, each] of pipeline.entries()) addTargetProblems(each, `${where}[${index}]`, levels, problems)
}

function addTargetProblems(
  targetOptions: unknown,
  where: string,
  levels: Levels,
  problems: ConfigurationProblem[],
): void {
  const copiedOptions = withoutPrototype(targetOptions)
  if (!isObject(copiedOptions)) {
    problems.push(wrongType(where, 'must be an object with target'))
    return
  }
  addModuleProblem(copiedOptions['target'], `${where}.target`, problems)
  addLevelProblem(copiedOptions['level'], `${where}.level`, levels, problems)
}

function addModuleProblem(target: unknown, where: string, problems: ConfigurationProblem[]): void {
  if (typeof target === 'string' && target !== '') return
  problems.push(wrongType(where, 'must be the name of a package, a path, a file: URL, or pino/file'))
}

function addLevelProblem(level: unknown, where: string, levels: Levels, problems: ConfigurationProblem[]): void {
  if (isAbsent(level) || (typeof level === 'number' && !Number.isNaN(level))) return
  const known = [...Object.keys({ ...standardLevels, ...levels }), 'silent']
  if (typeof level === 'string' && known.includes(level)) return
  const message = `${unknownLevel(level, known)} (custom levels are defined in ${where.startsWith('transport.') ? 'customLevels' : 'levels'})`
  problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path: where, message })
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function isObject(value: unknown): value is UnknownOptions {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrongType(path: string, message: string): ConfigurationProblem {
  return { code: 'SLUICE_OPTION_TYPE', path, message }
}
