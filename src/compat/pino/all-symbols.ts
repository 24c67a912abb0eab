import * as each from './symbols.ts'

/**
 * All symbols by name. The module namespace is not used directly, because bundlers convert it to an object with a `for...in` loop, which
 * also visits members that other libraries add to `Object.prototype`.
 */
export const symbols: typeof each = {
  setLevelSym: each.setLevelSym,
  getLevelSym: each.getLevelSym,
  levelValSym: each.levelValSym,
  levelCompSym: each.levelCompSym,
  useLevelLabelsSym: each.useLevelLabelsSym,
  useOnlyCustomLevelsSym: each.useOnlyCustomLevelsSym,
  mixinSym: each.mixinSym,
  lsCacheSym: each.lsCacheSym,
  chindingsSym: each.chindingsSym,
  asJsonSym: each.asJsonSym,
  writeSym: each.writeSym,
  redactFmtSym: each.redactFmtSym,
  timeSym: each.timeSym,
  timeSliceIndexSym: each.timeSliceIndexSym,
  streamSym: each.streamSym,
  stringifySym: each.stringifySym,
  stringifySafeSym: each.stringifySafeSym,
  stringifiersSym: each.stringifiersSym,
  endSym: each.endSym,
  formatOptsSym: each.formatOptsSym,
  messageKeySym: each.messageKeySym,
  errorKeySym: each.errorKeySym,
  nestedKeySym: each.nestedKeySym,
  nestedKeyStrSym: each.nestedKeyStrSym,
  mixinMergeStrategySym: each.mixinMergeStrategySym,
  msgPrefixSym: each.msgPrefixSym,
  wildcardFirstSym: each.wildcardFirstSym,
  serializersSym: each.serializersSym,
  formattersSym: each.formattersSym,
  hooksSym: each.hooksSym,
  needsMetadataGsym: each.needsMetadataGsym,
  transportUsesMultistreamSym: each.transportUsesMultistreamSym,
}
