import { withoutPrototype } from '../../options/own-members.ts'
import { memberOf, type JsonMembers } from './json-members.ts'
import { messageText } from './json-values.ts'
import { traceFields, type JsonFormat } from './json-format.ts'

/** The lines of LogTape's JSON lines formatter, and its records as JSON. */
export const logTapeFormat: JsonFormat = withoutPrototype({
  name: 'logtape',
  fields: {
    time: ['@timestamp', 'timestamp'],
    level: ['level'],
    message: ['message'],
    scope: ['logger', 'category'],
    exception: ['error', 'err', 'properties.error', 'properties.err'],
    attributes: ['properties'],
    traceId: withNested(traceFields.traceId),
    spanId: withNested(traceFields.spanId),
    traceFlags: withNested(traceFields.traceFlags),
  },
  ignored: ['rawMessage'],
  levels: 'names',
  nested: 'always',
  prepare: prepared,
})

/** Returns the members with the message as text. A record has the texts and the values of its template alternately. */
function prepared(members: JsonMembers): JsonMembers | undefined {
  const message = memberOf(members, 'message')
  if (!Array.isArray(message)) return undefined
  const text = message.map(messageText).join('')
  return Object.fromEntries([...Object.entries(members), ['message', text]])
}

/** Adds the names of the members of `properties`. */
function withNested(names: readonly string[]): readonly string[] {
  return [...names, ...names.map((name) => `properties.${name}`)]
}
