export { SmallPage as default } from '../../../pages/small.tsx'
