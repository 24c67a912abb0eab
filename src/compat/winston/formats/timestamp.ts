import { requireSynchronous } from '../../../options/observe-promise.ts'
import { member } from '../../../options/own-members.ts'
import { callback, either, text } from '../../../options/option-checks.ts'
import { TimeRenderer } from '../../../record/time.ts'
import { textOf, type Format } from '../info.ts'
import { dateText } from './date-text.ts'
import { defineFormat } from './format.ts'
import { checkedOptions } from './format-options.ts'
import { setMember } from '../../../options/define-member.ts'

/** Options of `format.timestamp()`. */
export interface TimestampOptions {
  /**
   * A pattern in local time, such as `YYYY-MM-DD HH:mm:ss.SSS`, or a function that returns the text.
   *
   * @defaultValue ISO 8601 in UTC
   */
  readonly format?: string | (() => string)
  /**
   * Name of a second member that contains the time.
   *
   * @defaultValue none
   */
  readonly alias?: string
}

const isoRenderer = new TimeRenderer()

/** Adds the time at which the record was formatted. Without `format`, a `timestamp` that the call set is kept. */
export function timestamp(given?: TimestampOptions): Format {
  const { format, alias } = checkedOptions('format.timestamp', given, {
    format: either('a pattern or a function', text(), callback),
    alias: text(),
  })
  return defineFormat((info) => {
    if (format) setMember(info, 'timestamp', timeText(format))
    if (!member(info, 'timestamp')) setMember(info, 'timestamp', isoRenderer.render(Date.now()))
    if (alias) setMember(info, alias, info['timestamp'])
    return info
  })()
}

function timeText(format: string | (() => string)): unknown {
  if (typeof format === 'function') return requireSynchronous(format(), 'the function of format.timestamp')
  return dateText(new Date(), textOf(format))
}
