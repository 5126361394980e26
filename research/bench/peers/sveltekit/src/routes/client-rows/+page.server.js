export { readRows as load } from '../../data.js'
