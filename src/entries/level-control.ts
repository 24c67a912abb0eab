export {
  levelControl,
  type LevelChange,
  type LevelChangeOptions,
  type LevelControl,
  type LevelDescription,
  type LevelLayerDescription,
} from '../level-control/level-control.ts'
export { levelsHandler, type LevelsHandler, type LevelsHandlerOptions } from '../level-control/http/levels-handler.ts'
export type { LevelsToken } from '../level-control/http/tokens.ts'
export type { FetchLevelsRequest } from '../level-control/http/fetch-levels.ts'
export type { NodeLevelsRequest, NodeLevelsResponse } from '../level-control/http/node-levels.ts'
export type {
  FastifyLevelsReply,
  FastifyLevelsRequest,
  HonoLevelsContext,
  KoaLevelsContext,
} from '../level-control/http/framework-levels.ts'
export type { LoggerLevel } from '../levels/effective-level.ts'
export type { LevelSource } from '../levels/level-layer.ts'
export {
  toggleLevelsOnSignal,
  type LevelSignal,
  type LevelSignalListener,
  type LevelSignalOptions,
} from '../level-control/toggle-levels-on-signal.ts'
