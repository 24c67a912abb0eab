import { sluice, sluiceSubject } from './sluice.ts'
import type { Subject } from './subject.ts'

const subject = sluiceSubject(
  { title: "sluice, baggage: ['tenant', 'user.*']", whenFull: 'waits for the reader over 64 MiB' },
  { onFull: 'block', maxQueueBytes: 64 * 1024 * 1024 },
  { baggage: ['tenant', 'user.*'] },
)

/** sluice with the option `baggage`, which adds the attributes `tenant` and `user.id` to each record. */
export const sluiceBaggage: Subject = {
  ...subject,
  read(line) {
    const { attributes, ...rest } = sluice.read(line)
    const { tenant, 'user.id': userId, ...others } = attributes as Readonly<Record<string, unknown>>
    if (tenant === undefined || userId === undefined) throw new Error('a line has no attributes from baggage')
    return { ...rest, attributes: others }
  },
}
