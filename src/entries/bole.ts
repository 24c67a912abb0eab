import { makeLogger } from '../compat/bole/logger.ts'
import { openOutputs } from '../compat/bole/outputs.ts'
import { closeOutputs, flushOutputs, registry } from '../compat/bole/registry.ts'
import type { Bole, OutputOptions } from '../compat/bole/types.ts'
import { createCompatRecordEmitter } from '../create/compat-records.ts'
import { addMembers } from '../options/define-member.ts'

export type { Bole, BoleLogger, Level, LogMethod, OutputOptions, OutputStream } from '../compat/bole/types.ts'

/**
 * Creates loggers with bole's interface. Their lines are identical to bole's, byte for byte, where those are valid JSON without
 * duplicate keys. Without an output, nothing is logged.
 */
const bole: Bole = addMembers((name: string) => makeLogger(name), {
  output,
  reset,
  setFastTime,
  flush: flushOutputs,
})

export default bole

function output(options: OutputOptions | readonly OutputOptions[]): Bole {
  openOutputs(options, createCompatRecordEmitter)
  return bole
}

function reset(): Bole {
  closeOutputs()
  registry().fastTime = false
  return bole
}

function setFastTime(fast = true): Bole {
  registry().fastTime = fast
  return bole
}
