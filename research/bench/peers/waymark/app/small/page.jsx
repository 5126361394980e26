export { SmallPage as default } from '../../shared/small.tsx'
