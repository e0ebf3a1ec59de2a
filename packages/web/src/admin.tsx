/** The operators' page: its composition root. */

import { VenueClient } from '@venue/sdk/operators';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AdminApp } from './admin/AdminApp.tsx';
import { AdminConsole } from './admin/admin-console.ts';

const desk = new AdminConsole(new VenueClient({ url: location.origin }));

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <AdminApp desk={desk} />
  </StrictMode>,
);
