import "quiredb/element";
import * as quiredb from "quiredb";
import { Engine } from "quiredb/engine";
import { createShell } from "quiredb/shell";
import { tryInPage } from "./page.js";

tryInPage({ ...quiredb, Engine, createShell });
