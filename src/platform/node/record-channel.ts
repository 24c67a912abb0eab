import { channel } from 'node:diagnostics_channel'
import type { RecordChannel } from '../../handler/record-channel.ts'

/** The diagnostics channel `sluice:record`, which all copies of this package in a process share. */
export const recordChannel: RecordChannel = channel('sluice:record')
