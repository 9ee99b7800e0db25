import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The service accepts requests of pages from http://localhost:5173, so the page takes this port or none. */
const address = { port: 5173, strictPort: true }

export default defineConfig({ plugins: [react()], server: address, preview: address })
