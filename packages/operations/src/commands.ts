export { assets } from './assets/assetsCommand.ts'
export type { AssetTarget } from './assets/pushAssets.ts'
export { doctor } from './doctor/doctorCommand.ts'
