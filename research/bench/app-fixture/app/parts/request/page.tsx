export { PartsPage as default } from '../../../../pages/parts.tsx'
