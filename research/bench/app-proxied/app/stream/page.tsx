export { StreamPage as default } from '../../../pages/stream.tsx'
