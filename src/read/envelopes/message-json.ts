import { readTextTime } from '../formats/text-time.ts'
import { memberOf, parseMembers, type JsonMembers } from '../formats/json-members.ts'
import { emptyEnvelope, type Envelope } from './envelope.ts'

/**
 * Unwraps JSON in the member `message` of the objects that pm2 writes with `logs --json` and with `log_type: 'json'`, and stern with
 * `-o json`. With other text in it, such an object is a record itself.
 */
export function unwrapMessageJson(text: string): Envelope | undefined {
  if (!text.startsWith('{"message":"{\\"')) return undefined
  const members = parseMembers(text)
  if (members === undefined) return undefined
  const container = pm2App(members) ?? sternContainer(members)
  const message = memberOf(members, 'message')
  if (container === undefined || typeof message !== 'string') return undefined
  const inner = message.trimEnd()
  // What a program writes at once is one message of pm2, which can have several lines.
  if (inner.includes('\n')) return undefined
  const timestamp = memberOf(members, 'timestamp')
  return {
    ...emptyEnvelope,
    inner,
    container,
    stream: streams.get(memberOf(members, 'type')),
    time: typeof timestamp === 'string' ? readTextTime(timestamp) : undefined,
  }
}

const streams: ReadonlyMap<unknown, string> = new Map([
  ['out', 'stdout'],
  ['err', 'stderr'],
])

function pm2App(members: JsonMembers): string | undefined {
  const name = memberOf(members, 'app_name')
  return typeof name === 'string' && memberOf(members, 'process_id') !== undefined ? name : undefined
}

function sternContainer(members: JsonMembers): string | undefined {
  const pod = memberOf(members, 'podName')
  const container = memberOf(members, 'containerName')
  return typeof pod === 'string' && typeof container === 'string' ? `${pod}/${container}` : undefined
}
