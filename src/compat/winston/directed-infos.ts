/** The infos whose level is enabled by level directives. Transports without a level of their own write them, whatever the level of the logger. */
export const directedInfos: WeakSet<object> = new WeakSet()
