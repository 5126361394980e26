export { images } from './imagePlugin.ts'
export { loadSharp } from './variants.ts'
