import * as symbolModule from './symbols.ts'

/**
 * All symbols by name. The module namespace is not used directly, because bundlers convert it to an object with a `for...in` loop, which
 * also visits members that other libraries add to `Object.prototype`.
 */
export const symbols: typeof symbolModule = {
  setLevelSym: symbolModule.setLevelSym,
  getLevelSym: symbolModule.getLevelSym,
  levelValSym: symbolModule.levelValSym,
  levelCompSym: symbolModule.levelCompSym,
  useLevelLabelsSym: symbolModule.useLevelLabelsSym,
  useOnlyCustomLevelsSym: symbolModule.useOnlyCustomLevelsSym,
  mixinSym: symbolModule.mixinSym,
  lsCacheSym: symbolModule.lsCacheSym,
  chindingsSym: symbolModule.chindingsSym,
  asJsonSym: symbolModule.asJsonSym,
  writeSym: symbolModule.writeSym,
  redactFmtSym: symbolModule.redactFmtSym,
  timeSym: symbolModule.timeSym,
  timeSliceIndexSym: symbolModule.timeSliceIndexSym,
  streamSym: symbolModule.streamSym,
  stringifySym: symbolModule.stringifySym,
  stringifySafeSym: symbolModule.stringifySafeSym,
  stringifiersSym: symbolModule.stringifiersSym,
  endSym: symbolModule.endSym,
  formatOptsSym: symbolModule.formatOptsSym,
  messageKeySym: symbolModule.messageKeySym,
  errorKeySym: symbolModule.errorKeySym,
  nestedKeySym: symbolModule.nestedKeySym,
  nestedKeyStrSym: symbolModule.nestedKeyStrSym,
  mixinMergeStrategySym: symbolModule.mixinMergeStrategySym,
  msgPrefixSym: symbolModule.msgPrefixSym,
  wildcardFirstSym: symbolModule.wildcardFirstSym,
  serializersSym: symbolModule.serializersSym,
  formattersSym: symbolModule.formattersSym,
  hooksSym: symbolModule.hooksSym,
  needsMetadataGsym: symbolModule.needsMetadataGsym,
  transportUsesMultistreamSym: symbolModule.transportUsesMultistreamSym,
}
