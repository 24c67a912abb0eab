import { subscribe } from 'node:diagnostics_channel'
import { sluice } from './sluice.ts'
import type { Subject } from './subject.ts'

/** sluice with a subscriber of its diagnostics channel, which only counts records. */
export const sluiceChannel: Subject = {
  ...sluice,
  title: 'sluice, with a subscriber of sluice:record',
  open(setup, build) {
    let count = 0
    subscribe('sluice:record', () => void count++)
    return sluice.open(setup, build)
  },
}
