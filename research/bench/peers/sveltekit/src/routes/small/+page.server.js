export { readQuery as load } from '../../data.js'
