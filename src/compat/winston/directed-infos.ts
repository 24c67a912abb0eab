import { sharedContextStorage } from '../../platform/node/with-context.ts'
import type { AnyValue } from '../../record/any-value.ts'
import type { AttributeSource } from '../../levels/directive.ts'
import type { TransformableInfo } from './info.ts'

/** The infos whose level is enabled by level directives. Transports without a level of their own write them, whatever the level of the logger. */
export const directedInfos: WeakSet<object> = new WeakSet()

/** The attributes by which directives select the records of a logger: those that it adds to each record, and those of `withContext`. */
export class InfoSource implements AttributeSource {
  private readonly createInfo: () => TransformableInfo
  private info: Readonly<Record<string, unknown>> | undefined

  /** @param createInfo - returns the redacted info of a record without members of its own */
  constructor(createInfo: () => TransformableInfo) {
    this.createInfo = createInfo
  }

  attributeOf(key: string): AnyValue | undefined {
    this.info ??= this.createInfo()
    const bound = Object.hasOwn(this.info, key) ? this.info[key] : undefined
    const isText = typeof bound === 'string' || typeof bound === 'number' || typeof bound === 'boolean'
    return isText ? bound : sharedContextStorage().get()?.bound.valueOfKey(key)
  }
}
