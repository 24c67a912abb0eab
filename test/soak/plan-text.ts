import { rowOf, type Action, type Fault } from './faults.ts'
import { applications, type Plan, type Step } from './plan.ts'

/** Formats a plan, with a line for each step. */
export function planText({ seed, millis, steps }: Plan): string {
  const head = `seed ${seed}, ${seconds(millis)}, ${steps.length} steps`
  return [head, ...steps.map(stepText)].join('\n')
}

/** Formats a step as one line. */
export function stepText(step: Step): string {
  const at = seconds(step.at).padStart(10)
  if ('calm' in step) return `${at}  calm for ${seconds(step.until - step.at)}`
  const row = rowOf('fault' in step ? step.fault : step.act)
  const what = 'fault' in step ? `${faultText(step.fault)}, for ${seconds(step.until - step.at)}` : actionText(step.act)
  return `${at}  ${applications[step.application]!.padEnd(5)}  ${what}${row === undefined ? '' : ` (row ${row})`}`
}

function faultText(fault: Fault): string {
  switch (fault.on) {
    case 'reader':
      return 'reader: stopped'
    case 'proxy':
      return `proxy: ${fault.mode}`
    case 'collector':
      return `collector: ${fault.response}`
    case 'processor':
      return 'processor: contended'
    default:
      return `${fault.on}: ${[
        ...(fault.error === undefined
          ? []
          : [`${fault.error} at ${fault.every === 1 ? 'every write' : `1 of ${fault.every} writes`}`]),
        ...(fault.room > 0 ? [`after ${fault.room} bytes`] : []),
        ...(fault.most > 0 ? [`at most ${fault.most} bytes per write`] : []),
        ...(fault.delayMicros > 0 ? [`${fault.delayMicros} µs per write`] : []),
      ].join(', ')}`
  }
}

function actionText(action: Action): string {
  switch (action.do) {
    case 'block':
      return `the event loop is blocked for ${seconds(action.millis)}`
    case 'burst':
      return `${action.records} records in one turn`
    case 'reopen':
      return 'files are renamed and reopened'
    case 'kill writer':
      return 'its writer process is killed'
    case 'plant':
      return `a ${action.kind} is planted`
    case 'misbehave':
      return action.kind === 'pollutes Object.prototype'
        ? `Object.prototype is polluted for ${seconds(action.millis)}`
        : `user code ${action.kind} for ${seconds(action.millis)}`
    case 'fatal':
      return 'a fatal record'
    default:
      return `ends by ${action.how}`
  }
}

function seconds(millis: number): string {
  return `${(millis / 1_000).toFixed(3)} s`
}
