export type { Socket, SocketData, SocketHooks } from './socket/socketConnection.ts'
export type { SocketLimits } from './socket/socketLimits.ts'
export { publish, type UpgradeOptions, upgrade } from './socket/upgrade.ts'
