import { expect, test } from '@jest/globals'
import { recordOf } from './read-line.ts'

const times = ['@timestamp', 'timestamp', 'time', 'ts', 'date', 'eventTime']
const levels = ['severity', 'level', 'lvl', 'log.level', 'loglevel']
const messages = ['message', 'msg', 'text', 'body']
const time = 1_795_254_963_000

/** Returns the members of a line in each order. */
function orders<Item>(items: readonly Item[]): readonly Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item].concat(rest)))
}

test.each(times.flatMap((name) => levels.map((level) => [name, level] as const)))(
  'the members %s and %s are the time and the level, with each name of a message, in each order',
  (timeName, levelName) => {
    const failed: unknown[] = []
    for (const messageName of messages)
      for (const level of ['info', 'INFO', 'warning', 30])
        for (const timeValue of ['2026-11-21T09:56:03.000Z', time])
          for (const names of orders([timeName, levelName, messageName, 'user']))
            for (const rest of [{}, { pid: 1 }]) {
              const values = { [timeName]: timeValue, [levelName]: level, [messageName]: 'm', user: 'u' }
              const line = { ...Object.fromEntries(names.map((name) => [name, values[name]])), ...rest }
              const record = recordOf(line)
              const isRead = record.time === time && record.severityNumber > 0 && record.message === 'm'
              if (!isRead || record.attributes.get('user') !== 'u') failed.push([record.format, line])
            }
    expect(failed.slice(0, 10)).toEqual([])
  },
)
