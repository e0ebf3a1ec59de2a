/** The operators' page: its composition root. */

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

createRoot(document.getElementById('root')!).render(<StrictMode>Operators</StrictMode>);
