export { readItems as load } from '../../data.js'
