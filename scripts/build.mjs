/** `npm run build`: the packages, when their sources changed. */
import { buildPackages } from './workspace/build.mjs'

await buildPackages({ typeErrors: 'throw' })
