/** `npm run build` builds the packages if their sources have changed. */
import { buildPackages } from './workspace/build.mjs'

await buildPackages({ typeErrors: 'throw' })
