import { ownCopy } from '../../options/own-members.ts'
import { unknownName } from '../../options/option-checks.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { standardLevels } from './levels.ts'

type UnknownOptions = Readonly<Record<string, unknown>>
type Levels = Readonly<Record<string, number>> | null | undefined

/**
 * Returns everything that is invalid in the options of a transport. Its thread would report it only after lines are queued.
 *
 * @param where - the path of the options; empty for the outermost
 * @param levels - numbers of custom levels, by name
 */
export function transportProblems(options: unknown, where: string, levels: Levels): ConfigurationProblem[] {
  const given = ownCopy(options)
  if (!isObject(given)) return [wrongType(where, `must be an object with ${targetKinds}`)]
  const problems: ConfigurationProblem[] = []
  const at = (name: string): string => (where === '' ? name : `${where}.${name}`)
  const { target, targets, pipeline } = given
  if (target && targets) {
    const message = 'only one of target or targets can be specified'
    return [{ code: 'SLUICE_OPTION_CONFLICT', path: at('targets'), message }]
  }
  if (isAbsent(target) && isAbsent(targets) && isAbsent(pipeline))
    problems.push(wrongType(where, `must have ${targetKinds}`))
  if (!isAbsent(target) && isAbsent(targets)) moduleProblem(target, at('target'), problems)
  if (!isAbsent(targets) && !Array.isArray(targets)) problems.push(wrongType(at('targets'), 'must be an array'))
  else {
    for (const [index, each] of ((targets ?? []) as unknown[]).entries()) {
      entryProblems(each, at(`targets[${index}]`), levels, problems)
    }
  }
  if (!isAbsent(pipeline)) pipelineProblems(pipeline, at('pipeline'), levels, problems)
  return problems
}

const targetKinds = 'target, targets or pipeline'

/** Checks one of several targets, or a pipeline among them. */
function entryProblems(entry: unknown, where: string, levels: Levels, problems: ConfigurationProblem[]): void {
  const given = ownCopy(entry)
  if (isObject(given) && !isAbsent(given['pipeline']) && isAbsent(given['target'])) {
    pipelineProblems(given['pipeline'], `${where}.pipeline`, levels, problems)
    levelProblem(given['level'], `${where}.level`, levels, problems)
  } else stepProblems(given, where, levels, problems)
}

function pipelineProblems(given: unknown, where: string, levels: Levels, problems: ConfigurationProblem[]): void {
  if (!Array.isArray(given) || given.length === 0) problems.push(wrongType(where, 'must be an array of targets'))
  else for (const [index, each] of given.entries()) stepProblems(each, `${where}[${index}]`, levels, problems)
}

function stepProblems(step: unknown, where: string, levels: Levels, problems: ConfigurationProblem[]): void {
  const given = ownCopy(step)
  if (!isObject(given)) {
    problems.push(wrongType(where, 'must be an object with target'))
    return
  }
  moduleProblem(given['target'], `${where}.target`, problems)
  levelProblem(given['level'], `${where}.level`, levels, problems)
}

function moduleProblem(target: unknown, where: string, problems: ConfigurationProblem[]): void {
  if (typeof target === 'string' && target !== '') return
  problems.push(wrongType(where, 'must be the name of a package, a path, a file: URL, or pino/file'))
}

function levelProblem(level: unknown, where: string, levels: Levels, problems: ConfigurationProblem[]): void {
  if (isAbsent(level) || (typeof level === 'number' && !Number.isNaN(level))) return
  const known = [...Object.keys({ ...standardLevels, ...levels }), 'silent']
  if (typeof level === 'string' && known.includes(level)) return
  const message = `${unknownName('level', level, known)} (custom levels are defined in ${where.startsWith('transport.') ? 'customLevels' : 'levels'})`
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
