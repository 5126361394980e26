export { ClientRowsPage as default } from '../../shared/rows.tsx'
