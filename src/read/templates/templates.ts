import type { ReadRecord } from '../record.ts'
import { MessageCache } from './message-cache.ts'
import { scanMessage, valueMark, type MessageTemplate } from './message-template.ts'
import { valueKinds } from './value-kinds.ts'

/** The attributes in which loggers write the template of a message. */
export const templateKeys: readonly string[] = [
  'message.template',
  'message_template',
  'MessageTemplate',
  '@mt',
  'log.template',
  '{OriginalFormat}',
]

/** The templates of all messages. */
export class Templates {
  private readonly byKey = new Map<string, MessageTemplate>()
  private readonly list: MessageTemplate[] = []
  private readonly cache = new MessageCache()
  private readonly maxTemplates: number

  /** @param maxTemplates - how many templates are kept */
  constructor(maxTemplates: number) {
    this.maxTemplates = maxTemplates
  }

  /** Returns the template with a number; undefined without one. */
  byId(id: number): MessageTemplate | undefined {
    return this.list[id]
  }

  /** Returns the template of a record; undefined if there are too many. */
  templateOf(record: ReadRecord): MessageTemplate | undefined {
    const { message, attributes } = record
    if (attributes.size > 0) {
      for (const key of templateKeys) {
        const template = attributes.get(key)
        if (typeof template === 'string') return this.ofTemplate(template)
      }
    }
    if (message !== undefined) return this.ofMessage(message)
    return this.ofTemplate(record.eventName ?? (record.body === undefined ? '' : '(structured body)'))
  }

  /** Returns the template with a text that a logger wrote; undefined if there are too many. */
  ofTemplate(text: string): MessageTemplate | undefined {
    return this.ofText(text, [])
  }

  /** Returns the template of a message; undefined if there are too many. */
  ofMessage(message: string): MessageTemplate | undefined {
    const cached = this.cache.find(message)
    if (cached !== undefined) return cached
    const { key, kinds } = scanMessage(message)
    const template = this.ofText(key, kinds)
    if (template !== undefined) this.cache.add(message, template)
    return template
  }

  private ofText(key: string, kinds: readonly number[]): MessageTemplate | undefined {
    const known = this.byKey.get(key)
    if (known === undefined) {
      if (this.byKey.size >= this.maxTemplates) return undefined
      const template = { id: this.byKey.size, key, kinds: [...kinds] }
      this.byKey.set(key, template)
      this.list.push(template)
      return template
    }
    for (let index = 0; index < kinds.length; index++) known.kinds[index]! |= kinds[index]!
    return known
  }
}

const nameOfKind = new Map<number, string>(Object.entries(valueKinds).map(([name, bit]) => [bit, name]))

/** Returns a template as text, such as `order <num> placed`. Where values of several kinds occurred, it has `<id>` or `<*>`. */
export function templateText({ key, kinds }: MessageTemplate): string {
  let place = 0
  return key.replaceAll(valueMark, () => `<${placeholderName(kinds[place++] ?? 0)}>`)
}

const idKinds = valueKinds.hex | valueKinds.num | valueKinds.id | valueKinds.uuid

function placeholderName(kinds: number): string {
  const name = nameOfKind.get(kinds)
  if (name !== undefined) return name
  if (kinds === (valueKinds.num | valueKinds.hex)) return 'hex'
  return (kinds & ~idKinds) === 0 ? 'id' : '*'
}
